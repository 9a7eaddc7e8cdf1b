import { from } from '../../../rule/index.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { readText } from '../../crd/typed-values.js';
import { defineContractRule } from './rule.js';
import { fieldDifferences } from './field-differences.js';

const every = ['object', 'array', 'string', 'integer', 'number', 'boolean'];

function typesOf(schema: JsonObject): readonly string[] {
  if (own(schema, 'x-kubernetes-int-or-string') === true) return ['integer', 'string'];
  const type = readText(own(schema, 'type')) ?? '';
  if (type === '') return every;
  return type === 'number' ? ['number', 'integer'] : [type];
}

export const typeWidened = defineContractRule({
  id: 'TypeWidened',
  audience: 'readers',
  fields: ['schema.type', 'schema.x-kubernetes-int-or-string'],
  checks: 'A field may have a value of another type than before.',
  why: 'A typed client cannot decode the object: with it, the whole list.',
  otherwise:
    'json: cannot unmarshal string into Go struct field WidgetSpec.spec.size of type int64',
  instead: 'Add a field of the other type alongside the old one.',
  source: from.kubernetesPages('API conventions: Primitive types'),
  messages: { widened: 'values of type {types} are taken from now on' },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: number } }',
    says: 'values of type number are taken from now on',
  },
  compare: (pair) =>
    fieldDifferences(pair, ['type', 'x-kubernetes-int-or-string'], ({ old, new: next }) => {
      const before = new Set(typesOf(old));
      const added = typesOf(next).filter((type) => !before.has(type));
      return added.length === 0 ? undefined : { id: 'widened', data: { types: added } };
    }),
});
