import { defineBoundRule } from './bound.js';

export const maximumRule = defineBoundRule({
  keyword: 'maximum',
  direction: 'maximum',
  what: 'value',
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, maximum: 10 } }',
    says: 'maximum constraint added when there was none previously : 10',
  },
});
