import { from } from '../../../rule/index.js';
import { defineRefusalRule } from './rule.js';

export const invalidDefault = defineRefusalRule({
  id: 'InvalidDefault',
  checks:
    'A default that its own schema refuses, that has unknown fields, or that stands where none may.',
  why: 'Objects would be stored with a value that is then refused.',
  instead: 'Give a default that the schema around it takes.',
  source: from.apiextensions('pkg/apiserver/schema/defaulting/validation.go', 'ValidateDefaults'),
  example: {
    after: '{ properties: { size: { type: integer, default: small } } }',
    says: 'must be of type integer',
    accepted: '{ properties: { size: { type: integer, default: 3 } } }',
  },
  covers: ({ field }) => /\.default(?:[.[]|$)/.test(field),
});
