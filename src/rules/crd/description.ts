import { defineRule } from './rule.js';
import { from } from '../source.js';

export const descriptionRule = defineRule({
  name: 'description',
  kind: 'property',
  keyword: 'description',
  upstream: { crdify: from.crdify('pkg/validations/property/description.go') },
  checks: 'Nothing: a changed description is known and accepted.',
  why: 'Words do not change what a stored object may hold.',
  compare: () => undefined,
});
