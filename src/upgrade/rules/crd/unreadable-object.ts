import { from } from '../../../rule/index.js';
import { describeComparison } from './rule.js';

export const unreadableObject = describeComparison({
  id: 'UnreadableObject',
  checks:
    'Something in the object, or in the stored one, that no rule can read, although the API server took it.',
  why: 'What cannot be read cannot be compared, and a change that breaks something could stand beside it.',
  instead:
    'Write that part as the API has it; where it is as it should be, tell us, and switch the check off for this object.',
  source: from.us('docs/threat-model.md'),
  messages: {
    unreadable: '{problem}',
    failed: 'olm-guard failed while judging it; its log says how',
  },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: 7 }',
    says: 'in the field ^.spec.size, must be an object',
    accepted: 'properties: { size: { type: integer, maxLength: 7 } }',
  },
});
