import { from } from '../../../rule/index.js';
import { defineStoredRule } from './rule.js';

export const storedObjectsUnchecked = defineStoredRule({
  id: 'StoredObjectsUnchecked',
  severity: 'warning',
  about: 'content',
  checks:
    'Stored objects that could not be read, or not all of them in the time that the policy gives.',
  why: 'What was not looked at may break.',
  instead:
    'Let the gate list the objects (docs/operations.md, Stored objects), and show it which reviews are the API server’s (docs/client-certificate.md); where time ran out, raise budgets.storedObjectsSeconds.',
  source: from.us('docs/operations.md'),
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: 'not checked: no right to list widgets.example.com',
  },
});
