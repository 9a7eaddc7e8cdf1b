import { defineBoundRule } from './bound.js';

export const minPropertiesRule = defineBoundRule({
  keyword: 'minProperties',
  direction: 'minimum',
  what: 'number of properties',
  example: {
    before: 'properties: { size: { type: object, additionalProperties: { type: string } } }',
    after:
      'properties: { size: { type: object, additionalProperties: { type: string }, minProperties: 1 } }',
    says: 'minimum constraint added when there was none previously : 1',
  },
});
