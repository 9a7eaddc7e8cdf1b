import { defineRule } from './rule.js';

export const descriptionRule = defineRule({
  name: 'description',
  kind: 'property',
  keyword: 'description',
  upstream: { crdify: 'crdify pkg/validations/property/description.go (enforcement None)' },
  checks: 'Nothing: a changed description is known and accepted.',
  why: 'Words do not change what a stored object may hold.',
  compare: () => undefined,
});
