import type { ChangedField } from '../../crd/difference.js';
import { type Pin, pinValue } from '../../proof/pin.js';
import { type MessageOf, type Messages, from } from '../../../rule/index.js';
import { type ContractDifference, type ContractPair, defineContractRule } from './rule.js';
import { own, type JsonObject } from '../../../text/documents/index.js';
import { readJsonList, readText } from '../../crd/typed-values.js';
import { formatList, quote } from '../../../text/go/index.js';
import { valueIn } from './requests.js';

interface Evidence<Message> {
  /** The message where no object was found that shows it; the same by default. */
  readonly otherwise?: Message;
  readonly inner?: readonly string[];
  readonly pin?: Pin;
}

/** @param describe what is different about a field in which one of the keywords differs; undefined for nothing */
export function* fieldDifferences<Of extends Messages>(
  { changed, shows }: ContractPair,
  keywords: readonly string[],
  describe: (field: ChangedField) => (MessageOf<Of> & Evidence<MessageOf<Of>>) | undefined,
): Generator<ContractDifference<Of>> {
  for (const { new: version, field } of changed) {
    if (!keywords.some((keyword) => field.keywords.has(keyword))) continue;
    const found = describe(field);
    if (found === undefined) continue;
    const { otherwise, inner, pin, ...message } = found;
    const paths = inner?.map((name) => `${field.path}.${name}`) ?? [field.path];
    const within = { field, pin };
    const witness = shows?.(version.name, paths, within);
    yield {
      ...((witness === undefined ? otherwise : undefined) ?? message),
      witness,
      version: version.name,
      path: field.path,
      place: { side: 'new', version: version.index, spot: field.spot },
    } as ContractDifference<Of>;
  }
}

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

export const nullAllowed = defineContractRule({
  id: 'NullAllowed',
  audience: 'readers',
  fields: ['schema.nullable'],
  checks: 'A field may be null.',
  why: 'Until now a null was dropped or refused, so that clients never read one.',
  instead: 'Leave the field out where it has no value.',
  source: from.kubernetesPages('Extend the Kubernetes API with CustomResourceDefinitions'),
  messages: { nullable: 'the field may be null from now on' },
  example: {
    before: 'properties: { size: { type: integer } }',
    after: 'properties: { size: { type: integer, nullable: true } }',
    says: 'the field may be null from now on',
  },
  compare: (pair) =>
    fieldDifferences(pair, ['nullable'], ({ new: next }) =>
      own(next, 'nullable') === true ? { id: 'nullable', pin: pinValue(null) } : undefined,
    ),
});

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
        : { id: 'optional', data: { fields: formatList(freed.map(quote)) }, inner: freed };
    }),
});

export const unknownFieldsKept = defineContractRule({
  id: 'UnknownFieldsKept',
  audience: 'readers',
  fields: ['spec.preserveUnknownFields'],
  checks: 'spec.preserveUnknownFields becomes true, or its default is written.',
  why: 'Objects keep fields that no schema declares; the API server refuses the change, unless the definition had it before.',
  otherwise:
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
  instead: 'Say x-kubernetes-preserve-unknown-fields where undeclared fields are wanted.',
  source: from.apiextensions(
    'pkg/apis/apiextensions/validation/validation.go',
    'validateCustomResourceDefinitionSpec',
  ),
  messages: {
    kept: 'undeclared fields are kept from now on',
    default: 'preserveUnknownFields: false is the default',
    written:
      'preserveUnknownFields: false is the default, which API servers do not return: Argo CD shows the definition as out of sync; leave it out',
  },
  example: {
    before: 'spec: { preserveUnknownFields: false }',
    after: 'spec: { preserveUnknownFields: true }',
    says: 'undeclared fields are kept from now on',
    accepted: 'spec: { preserveUnknownFields: false }',
  },
  *compare({ old, next }) {
    const [before, after] = [old, next].map(({ document }) =>
      valueIn(document, 'spec', 'preserveUnknownFields'),
    );
    const place = { side: 'new', keys: ['spec', 'preserveUnknownFields'] } as const;
    if (before !== true && after === true) yield { place, id: 'kept' };
    else if (before === undefined && after === false) yield { place, id: 'written' };
    else if (before === false && after === undefined) {
      yield { place, id: 'default', isHarmless: true };
    }
  },
});
