import { defineRule, from, sameInBothVersions } from '../../../rule/index.js';

export const convertedObjectRefused = defineRule({
  id: 'ConvertedObjectRefused',
  family: 'conversion',
  subject: 'conversion',
  audience: 'clients',
  severity: 'error',
  checks:
    'An object that one version accepts, and that the other version’s schema refuses once it is converted.',
  why: 'The object can be read in the other version, and never be written in it again: controllers that update what they have read fail, and so does a migration.',
  instead:
    'Have the conversion make only what the other schema accepts, or let both versions accept the same.',
  source: from.kubernetesPages('Versions in CustomResourceDefinitions'),
  messages: {
    refusedBySchema: 'the schema of {to} refuses what is converted from {from}, at {field}{detail}',
  },
  example: {
    before: sameInBothVersions,
    after: `converted: { v2: { spec: { size: many } } }`,
    says: 'the schema of v2 refuses what is converted from v1',
  },
});
