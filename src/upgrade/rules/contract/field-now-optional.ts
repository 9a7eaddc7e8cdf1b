import { from } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { formatList, quote } from '../../../text/go/index.js';
import { defineContractRule } from './rule.js';
import { fieldDifferences } from './field-differences.js';

export function requiredOf(schema: JsonObject): string[] {
  const required = own(schema, 'required');
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

export const fieldNowOptional = defineContractRule({
  id: 'FieldNowOptional',
  audience: 'readers',
  fields: ['schema.required'],
  checks: 'A field that was required may be missing.',
  why: 'A client that always found the field reads an object without it: a zero value, or a failure.',
  instead: 'Keep it required, or give it a default.',
  source: from.kubernetesPages('API conventions: Optional vs. Required'),
  messages: { optional: 'fields may be missing from now on: {fields}' },
  example: {
    before: 'properties: { size: { type: integer } }\nrequired: [size]',
    after: 'properties: { size: { type: integer } }',
    says: 'fields may be missing from now on: ["size"]',
  },
  compare: (pair) =>
    fieldDifferences(pair, ['required'], ({ old, new: next }) => {
      const kept = new Set(requiredOf(next));
      const freed = requiredOf(old).filter((name) => !kept.has(name));
      return freed.length === 0
        ? undefined
        : {
            id: 'optional',
            data: { fields: formatList(freed.map(quote)) },
            inner: freed,
          };
    }),
});
