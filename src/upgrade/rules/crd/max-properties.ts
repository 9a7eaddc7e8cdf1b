import { defineBoundRule } from './bound.js';

export const maxPropertiesRule = defineBoundRule({
  keyword: 'maxProperties',
  direction: 'maximum',
  what: 'number of properties',
  example: {
    before: 'properties: { size: { type: object, additionalProperties: { type: string } } }',
    after:
      'properties: { size: { type: object, additionalProperties: { type: string }, maxProperties: 1 } }',
    says: 'maximum constraint added when there was none previously : 1',
  },
});
