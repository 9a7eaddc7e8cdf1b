import { from } from '../../../rule/index.js';
import { listPath } from './requests.js';
import { defineContractRule } from './rule.js';

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
