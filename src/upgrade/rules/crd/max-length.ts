import { defineBoundRule } from './bound.js';

export const maxLengthRule = defineBoundRule({
  keyword: 'maxLength',
  direction: 'maximum',
  what: 'length',
  example: {
    before: 'properties: { size: { type: string } }',
    after: 'properties: { size: { type: string, maxLength: 3 } }',
    says: 'maximum constraint added when there was none previously : 3',
  },
});
