import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const storedVersionMigration = defineStoredRule({
  id: 'StoredVersionMigration',
  severity: 'warning',
  about: 'content',
  groupsWith: 'removed-version',
  checks: 'A version that goes although status.storedVersions still names it.',
  why: 'Objects that are stored in it can no longer be read.',
  instead:
    'Write every object again in the new storage version, take the old one out of status.storedVersions (olm-guard migrate run NAME does both), and remove it from the definition one release later.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    stored:
      '{version} is still in status.storedVersions of {name}, so {objects}; {first}: olm-guard migrate run {name}, which writes every object once and takes the version out',
  },
  example: {
    before: `
      spec: { versions: [{ name: v1alpha1, served: true }, { name: v1, served: true, storage: true }] }
      status: { storedVersions: [v1alpha1, v1] }`,
    after: 'spec: { versions: [{ name: v1, served: true, storage: true }] }',
    says: 'v1alpha1 is still in status.storedVersions of widgets.example.com',
    accepted:
      'spec: { versions: [{ name: v1alpha1, served: false }, { name: v1, served: true, storage: true }] }',
  },
});
