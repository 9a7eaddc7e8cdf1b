import { defineBoundRule } from './bound.js';

export const maxItemsRule = defineBoundRule({
  keyword: 'maxItems',
  direction: 'maximum',
  what: 'number of items',
  example: {
    before: 'properties: { size: { type: array, items: { type: string } } }',
    after: 'properties: { size: { type: array, items: { type: string }, maxItems: 1 } }',
    says: 'maximum constraint added when there was none previously : 1',
  },
});
