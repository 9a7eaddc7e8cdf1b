import { defineRule, from } from '../../../rule/index.js';

export const frozenChanged = defineRule({
  id: 'FrozenChanged',
  family: 'crd-upgrade-safety',
  subject: 'promises',
  severity: 'error',
  awaitsProof: false,
  checks: 'Something other than a description changes where the policy promises that nothing does.',
  why: 'Users of a frozen branch or version take its patch releases without looking at the API.',
  instead: 'Make the change on the branch or in the version that is open for it.',
  source: from.us('docs/policy.md'),
  messages: {
    changed: 'frozen by the policy: {what} changed',
    added: 'frozen by the policy: {what} was added',
    removed: 'frozen by the policy: {what} was removed',
  },
  example: {
    before: 'properties: { size: { type: integer, description: How many. } }',
    after: 'properties: { size: { type: integer, maximum: 5 } }',
    says: 'frozen by the policy: maximum was added',
    accepted: 'properties: { size: { type: integer, description: The number of them. } }',
  },
});
