import { defineBoundRule } from './bound.js';

export const minLengthRule = defineBoundRule({
  keyword: 'minLength',
  direction: 'minimum',
  what: 'length',
  example: {
    before: 'properties: { size: { type: string } }',
    after: 'properties: { size: { type: string, minLength: 1 } }',
    says: 'minimum constraint added when there was none previously : 1',
  },
});
