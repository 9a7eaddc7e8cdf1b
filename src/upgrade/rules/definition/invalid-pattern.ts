import { from } from '../../../rule/index.js';
import { defineRefusalRule } from './rule.js';

export const invalidPattern = defineRefusalRule({
  id: 'InvalidPattern',
  checks: 'A pattern that is not a valid RE2 regular expression.',
  why: 'Go has no look-around, no back references and no counts over 1000.',
  instead: 'Write the pattern without them, or several patterns under allOf.',
  source: from.apiextensions('pkg/apiserver/schema/validation.go', 'validateValueValidation'),
  example: {
    after: "{ properties: { name: { type: string, pattern: '^(?!x)' } } }",
    says: 'must be a valid regular expression',
    accepted: "{ properties: { name: { type: string, pattern: '^[^x]' } } }",
  },
  covers: ({ field }) => field.endsWith('.pattern'),
});
