import { defineBoundRule } from './bound.js';

export const minimumRule = defineBoundRule({
  keyword: 'minimum',
  direction: 'minimum',
  what: 'value',
  example: {
    before: 'properties: { size: { type: integer, minimum: 1 } }',
    after: 'properties: { size: { type: integer, minimum: 2 } }',
    says: 'minimum increased : 1 -> 2',
    accepted: 'properties: { size: { type: integer, minimum: 0 } }',
  },
});
