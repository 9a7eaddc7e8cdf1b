import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const storedVersionUnproven = defineStoredRule({
  id: 'StoredVersionUnproven',
  severity: 'warning',
  about: 'bookkeeping',
  checks:
    'A version that leaves status.storedVersions, or the definition, while nothing shows that no object is stored in it; or the record in metadata.managedFields of who wrote status.storedVersions, which leaves.',
  why: 'Whoever may write the status can take a version out of status.storedVersions, and Kubernetes 1.37 does so after a migration that failed. Once the version is removed from the definition, an object still stored in it can be neither read nor listed.',
  instead:
    'Write every object once in the storage version: olm-guard migrate run NAME --leaving VERSION leaves a record of it, and so does a StorageVersionMigration that has succeeded since the definition was changed last.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    status:
      '{versions} taken out of status.storedVersions of {name}, and {unshown}; {later}; to show it: {command}',
    record:
      'the record of who took {leaving} out of status.storedVersions of {name} is taken out of metadata.managedFields, and {unshown}; {later}; leave the record, or to show it, first: {command}',
    spec: '{versions} removed from {name}, and {unshown}: such an object can be neither read nor listed then; to show it, first: {command}',
  },
  example: {
    before: `
      spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }
      status: { storedVersions: [v1] }
      ---
      { kind: Widget, metadata: { name: last, namespace: default } }`,
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'v1alpha1 is removed from widgets.example.com, and nothing shows that none of 1 stored Widget is stored in it',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: false }, { name: v1, served: true, storage: true }] }',
  },
});
