import { from } from '../../../rule/index.js';
import { definePropertyRule } from './rule.js';

export const descriptionRule = definePropertyRule({
  id: 'description',
  keyword: 'description',
  checks: 'Nothing: a changed description is known and accepted.',
  why: 'Words do not change what a stored object may hold.',
  instead: 'Nothing: it is accepted.',
  source: from.crdify('pkg/validations/property/description.go'),
  example: {
    before: 'properties: { size: { type: string } }',
    after: 'properties: { size: { type: string, description: How many. } }',
    says: '',
  },
  compare: () => undefined,
});
