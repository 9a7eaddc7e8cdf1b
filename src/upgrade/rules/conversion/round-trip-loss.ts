import { defineRule, from, sameInBothVersions, sources } from '../../../rule/index.js';

export const roundTripLoss = defineRule({
  id: 'RoundTripLoss',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'error',
  checks:
    'A field that is lost, changed or added when an object is converted to another version and back.',
  why: 'A client that reads and updates an object in the other version destroys what it never saw; a change of the storage version does so for every object.',
  instead:
    'Keep in an annotation what the other version has no field for, and restore it from there; use types that hold every value that the schema accepts.',
  source: sources(
    from.us('docs/commands.md'),
    from.kubernetesPages('Versions in CustomResourceDefinitions'),
  ),
  messages: {
    lost: '{field} is lost from {from} to {to} and back{detail}',
    changed: '{field} is changed from {from} to {to} and back{detail}',
    added: '{field} is added from {from} to {to} and back{detail}',
    emptied: 'an empty {field} comes or goes from {from} to {to} and back{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `converted: { v1: { spec: {} } }`,
    says: 'is lost from v1 to v2 and back',
  },
});
