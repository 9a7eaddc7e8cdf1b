import { from } from '../../../rule/index.js';
import { defineRefusalRule } from './rule.js';

export const notDecodable = defineRefusalRule({
  id: 'NotDecodable',
  checks: 'Fields of a type that no API server can decode.',
  why: 'The server answers 400 before it judges anything.',
  instead: 'Give the field the type that the API reference names.',
  source: from.apiextensions('pkg/apis/apiextensions/v1/marshal.go'),
  example: {
    after: '{ properties: { size: { type: 5 } } }',
    says: 'cannot unmarshal number',
    accepted: '{ properties: { size: { type: integer } } }',
  },
  covers: ({ type }) => type === 'Decode',
});
