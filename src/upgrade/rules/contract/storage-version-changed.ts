import { from } from '../../../rule/index.js';
import { defineContractRule } from './rule.js';

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
