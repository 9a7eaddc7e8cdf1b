import { defineRefusalRule, validation } from './rule.js';

export const storageVersions = defineRefusalRule({
  id: 'StorageVersions',
  checks:
    'Not exactly one storage version, version names that are wrong or not unique, or a stored version that is gone.',
  why: 'The server cannot tell in which version objects are stored, or could not read those that are.',
  instead:
    'Mark exactly one version as storage version, and keep every version that status.storedVersions names.',
  source: validation(
    'validateCustomResourceDefinitionSpec',
    'ValidateCustomResourceDefinitionStoredVersions',
  ),
  example: {
    after:
      'spec: { versions: [{ name: v1, served: true, storage: false, schema: { openAPIV3Schema: { type: object } } }] }',
    says: 'must have exactly one version marked as storage version',
    accepted:
      'spec: { versions: [{ name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object } } }] }',
  },
  covers: ({ field }) =>
    /^(?:spec\.versions(?:\[\d+\]\.name)?$|spec\.version$|status\.storedVersions)/.test(field),
});
