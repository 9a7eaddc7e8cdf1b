import { from } from '../../../rule/index.js';
import { defineContractRule } from './rule.js';
import { listPath, applyRequest, exampleObject, usableVersion } from './requests.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { textOf } from './subresources.js';
import { objectsAt } from '../../../text/documents/fields.js';

export const storageVersionChanged = defineContractRule({
  id: 'StorageVersionChanged',
  audience: 'objects',
  fields: ['spec.versions[].storage'],
  checks: 'Objects are stored in another version from now on.',
  why: 'The first write puts the new version into status.storedVersions, and from then on no definition without it is accepted: a rollback to a release that does not know the version is no longer possible. Objects that nobody writes stay in the old version.',
  otherwise:
    'status.storedVersions[1]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in spec.versions',
  instead:
    'Ship the new version served first, and store it one release later; then write every object once before the old version goes.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: { changed: 'objects are stored as "{after}" from now on, and no longer as "{before}"' },
  example: {
    before:
      'spec: { versions: [{ name: v1alpha1, served: true, storage: true }, { name: v1, served: true }] }',
    after:
      'spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }',
    says: 'objects are stored as "v1" from now on, and no longer as "v1alpha1"',
  },
  *compare({ old, next }) {
    const [before, after] = [old, next].map(({ versions }) =>
      versions.find(({ storage }) => storage),
    );
    if (before?.name === after?.name) return;
    yield {
      id: 'changed',
      data: { after: after?.name ?? '', before: before?.name ?? '' },
      version: after?.name,
      place: {
        side: 'new',
        keys: ['spec', 'versions', ...(after === undefined ? [] : [after.index, 'storage'])],
      },
    };
  },
});

export const servedVersionRemoved = defineContractRule({
  id: 'ServedVersionRemoved',
  groupsWith: 'removed-version',
  audience: 'clients',
  fields: ['spec.versions[].name', 'spec.versions[].served'],
  checks: 'A version that was served is not served any more, or is gone.',
  why: 'Its clients get 404 from then on: controllers, manifests in Git, Helm charts, dashboards. Where several ClusterServiceVersions own the definition, OLM classic demands every served version of the new one.',
  otherwise: 'the server could not find the requested resource',
  instead:
    'Serve the version a few releases longer, marked as deprecated, and look who still uses it: olm-guard check crd OLD NEW --objects cluster.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    removed: 'version "{version}" is gone: its clients get 404, stored objects stay',
    unserved: 'version "{version}" is no longer served: its clients get 404, stored objects stay',
    added: 'a version is added',
    served: 'a version is served from now on',
    unservedRemoved: 'version "{version}", which was not served, is gone',
  },
  example: {
    before:
      'spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'version "v1alpha1" is gone: its clients get 404',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: true, deprecated: true }, { name: v1, served: true, storage: true }] }',
  },
  *compare({ old, next }) {
    for (const version of old.versions) {
      const now = next.version(version.name);
      if (!version.served || now?.served === true) continue;
      yield {
        id: now === undefined ? 'removed' : 'unserved',
        data: { version: version.name },
        version: version.name,
        place: {
          side: 'new',
          keys: ['spec', 'versions', ...(now === undefined ? [] : [now.index, 'served'])],
        },
        request: {
          verb: 'GET',
          path: listPath(old, version.name),
          before: { status: 200 },
          // The server no longer knows the path, so the 404 has no Status with a reason.
          after: { status: 404 },
        },
      };
    }
    for (const version of next.versions) {
      const before = old.version(version.name);
      const unserved = before !== undefined && !before.served && next.versions.includes(version);
      const place = { side: 'new', keys: ['spec', 'versions', version.index] } as const;
      const common = { version: version.name, place, isHarmless: true } as const;
      if (before === undefined) yield { ...common, id: 'added' };
      else if (unserved && version.served) yield { ...common, id: 'served' };
    }
    for (const version of old.versions) {
      if (version.served || next.version(version.name) !== undefined) continue;
      yield {
        id: 'unservedRemoved',
        data: { version: version.name },
        version: version.name,
        place: { side: 'new', keys: ['spec', 'versions'] },
        isHarmless: true,
      };
    }
  },
});

export const deprecationChanged = defineContractRule({
  id: 'DeprecationChanged',
  audience: 'display',
  fields: ['spec.versions[].deprecated', 'spec.versions[].deprecationWarning'],
  checks: 'A version becomes deprecated, or its deprecation says something else.',
  why: 'Every request in that version is answered with a warning, which kubectl and many clients print: the notice that the version will be removed.',
  otherwise: 'Warning: example.com/v1alpha1 Widget is deprecated',
  instead:
    'Nothing: this is how a version should go. Tell its users which version to move to in deprecationWarning.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    deprecated: 'the version is deprecated',
    deprecatedWith: 'the version is deprecated: {warning}',
    undeprecated: 'the version is no longer deprecated',
    reworded: 'the deprecation message changes',
  },
  example: {
    before: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true, deprecated: true }] }',
    says: 'the version is deprecated',
  },
  *compare({ shared }) {
    for (const { old: before, new: after } of shared) {
      const [was, is] = [before, after].map(({ document }) => own(document, 'deprecated') === true);
      const [old, now] = [before, after].map(({ document }) =>
        textOf(document, 'deprecationWarning'),
      );
      const common = {
        version: after.name,
        place: { side: 'new', keys: ['spec', 'versions', after.index] } as const,
      };
      if (is === true && was === false) {
        yield {
          ...common,
          id: now === '' ? 'deprecated' : 'deprecatedWith',
          data: { warning: now ?? '' },
        };
      } else if (was !== is) {
        yield { ...common, id: 'undeprecated', isHarmless: true };
      } else if (old !== now) {
        yield { ...common, id: 'reworded', isHarmless: true };
      }
    }
  },
});

export const appliedVersionRemoved = defineContractRule({
  id: 'AppliedVersionRemoved',
  groupsWith: 'removed-version',
  audience: 'apply',
  fields: ['spec.versions[].name'],
  checks: 'A version in which objects may have been applied is removed from spec.versions.',
  why: 'Objects remember in metadata.managedFields in which version they were applied. While one names the version that is gone, every server-side apply of it fails, no matter who applies it and in which version.',
  otherwise: 'request to convert CR to an invalid group/version: example.com/v1alpha1',
  instead:
    'Keep the version in spec.versions with served: false: server-side apply goes on. Where it is gone already, one ordinary write of each object takes the old entries away (kubectl annotate works).',
  source: from.apiextensions('pkg/apiserver/conversion/converter.go', 'Convert'),
  messages: {
    served:
      'version "{version}" is gone: server-side apply of objects that were applied as {version} fails, in every version',
    unserved:
      'version "{version}" is gone: server-side apply of objects that were applied as {version} while it was served fails, in every version',
  },
  example: {
    before:
      'spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'server-side apply of objects that were applied as v1alpha1 fails',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: false }, { name: v1, served: true, storage: true }] }',
  },
  *compare({ old, next, sample }) {
    const usable = usableVersion(old, next);
    for (const version of old.versions) {
      if (next.version(version.name) !== undefined) continue;
      // A version that is no longer served cannot be applied to show it.
      const body = usable === undefined || !version.served ? undefined : sample?.(usable);
      yield {
        id: version.served ? 'served' : 'unserved',
        data: { version: version.name },
        version: version.name,
        place: { side: 'new', keys: ['spec', 'versions'] },
        ...(usable === undefined || body === undefined
          ? {}
          : {
              witness: withLabel(exampleObject(old, version.name, body)),
              request: applyRequest(old, usable, exampleObject(old, usable, body), {
                before: { status: 200 },
                after: { status: 500 },
              }),
            }),
      };
    }
  },
});

/** Adds a label, because an applier that sets nothing leaves no entry in managedFields. */
function withLabel(object: JsonObject): JsonObject {
  const metadata = own(object, 'metadata') as JsonObject;
  return { ...object, metadata: { ...metadata, labels: { example: 'applied' } } };
}

export const selectableFieldRemoved = defineContractRule({
  id: 'SelectableFieldRemoved',
  audience: 'clients',
  fields: ['spec.versions[].selectableFields'],
  checks: 'A served version loses one of its selectableFields.',
  why: 'Lists and watches with that field selector get 400: informers that use it never come up again.',
  otherwise: 'field label not supported: spec.color',
  instead: 'Keep the entry: it costs nothing.',
  source: from.kubernetesPages('Field Selectors'),
  messages: {
    added: 'field selectors can use "{path}" from now on',
    removed: 'field selectors can no longer use "{path}": they get 400',
  },
  example: {
    before:
      'spec: { versions: [{ name: v1, served: true, storage: true, selectableFields: [{ jsonPath: .spec.color }] }] }',
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'field selectors can no longer use ".spec.color": they get 400',
  },
  *compare({ old, shared }) {
    for (const { old: before, new: after } of shared) {
      const [had, has] = [before, after].map(
        (version) =>
          new Set(
            objectsAt(version.document, 'selectableFields').map((each) => textOf(each, 'jsonPath')),
          ),
      ) as [Set<string>, Set<string>];
      const place = { side: 'new', keys: ['spec', 'versions', after.index] } as const;
      const common = { version: after.name, place } as const;
      for (const path of has) {
        if (had.has(path)) continue;
        yield { ...common, id: 'added', data: { path }, isHarmless: true };
      }
      for (const path of had) {
        if (has.has(path) || !after.served) continue;
        const selector = encodeURIComponent(`${path.replace(/^\./, '')}=a`);
        yield {
          ...common,
          id: 'removed',
          data: { path },
          request: {
            verb: 'GET',
            path: `${listPath(old, after.name)}?fieldSelector=${selector}`,
            before: { status: 200 },
            after: { status: 400, reason: 'BadRequest' },
          },
        };
      }
    }
  },
});
