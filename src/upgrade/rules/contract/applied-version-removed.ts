import { from } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { applyRequest, exampleObject, usableVersion } from './requests.js';
import { defineContractRule } from './rule.js';

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
