import { defineBoundRule } from './bound.js';

export const minItemsRule = defineBoundRule({
  keyword: 'minItems',
  direction: 'minimum',
  what: 'number of items',
  example: {
    before: 'properties: { size: { type: array, items: { type: string } } }',
    after: 'properties: { size: { type: array, items: { type: string }, minItems: 1 } }',
    says: 'minimum constraint added when there was none previously : 1',
  },
});
