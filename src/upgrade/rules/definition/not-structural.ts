import { from } from '../../../rule/index.js';
import { defineRefusalRule } from './rule.js';

export const notStructural = defineRefusalRule({
  id: 'NotStructural',
  checks: 'A schema that is not structural, or with a keyword that definitions may not use.',
  why: 'Servers could neither prune objects nor default them, so they refuse the definition.',
  instead:
    'Give every field a type outside of anyOf, allOf, oneOf and not, and write only value validation inside of them.',
  source: from.apiextensions('pkg/apiserver/schema/validation.go', 'ValidateStructural'),
  example: {
    after: '{ properties: { size: { description: how large } } }',
    says: 'must not be empty for specified object fields',
    accepted: '{ properties: { size: { type: integer } } }',
  },
  covers: () => true,
});
