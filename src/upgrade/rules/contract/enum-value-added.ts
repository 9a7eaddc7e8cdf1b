import { from } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { readJsonList } from '../../crd/typed-values.js';
import { formatList } from '../../../text/go/index.js';
import { defineContractRule } from './rule.js';
import { fieldDifferences } from './field-differences.js';

const values = (schema: JsonObject): readonly string[] => readJsonList(own(schema, 'enum')) ?? [];

export const enumValueAdded = defineContractRule({
  id: 'EnumValueAdded',
  audience: 'readers',
  fields: ['schema.enum'],
  checks: 'A field accepts a value that its enum did not have, or the enum is removed.',
  why: 'A client that switches over the known values meets another one: it fails, or silently takes the default branch.',
  instead:
    'Say in the description that clients must expect other values, from the first release on.',
  source: from.kubernetesPages('API conventions: Enumerated values'),
  messages: {
    anyValue: 'any value is taken from now on, where a list was',
    added: 'values are added: {values}',
  },
  example: {
    before: 'properties: { mode: { type: string, enum: [a, b] } }',
    after: 'properties: { mode: { type: string, enum: [a, b, c] } }',
    says: 'values are added: ["c"]',
    accepted: 'properties: { mode: { type: string, enum: [a] } }',
  },
  compare: (pair) =>
    fieldDifferences(pair, ['enum'], ({ old, new: next }) => {
      const [before, after] = [values(old), values(next)];
      if (before.length === 0) return undefined;
      if (after.length === 0) return { id: 'anyValue' };
      const known = new Set(before);
      const added = after.filter((value) => !known.has(value));
      return added.length === 0 ? undefined : { id: 'added', data: { values: formatList(added) } };
    }),
});
