/** Random pairs of schemas, as an API server would take them, for tests that ask whether a proof holds. */
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../text/documents/index.js';
import { isObject, own } from '../../../text/documents/index.js';

export interface SchemaPair {
  /** Schemas of `spec`. */
  readonly old: JsonObject;
  readonly new: JsonObject;
}

const names = ['alpha', 'beta', 'gamma', 'delta'] as const;

const string = fc.constantFrom<JsonObject>(
  { type: 'string' },
  { type: 'string', maxLength: 4 },
  { type: 'string', maxLength: 9, minLength: 2 },
  { type: 'string', minLength: 1 },
  { type: 'string', pattern: '^[a-z]+$', maxLength: 8 },
  { type: 'string', pattern: '^[a-z0-9-]{1,5}$' },
  { type: 'string', enum: ['one', 'two', 'three'] },
  { type: 'string', enum: ['one', 'two'] },
  { type: 'string', nullable: true },
  { type: 'string', default: 'one' },
  { type: 'string', format: 'date-time' },
);
const number = fc.constantFrom<JsonObject>(
  { type: 'integer' },
  { type: 'integer', minimum: 0 },
  { type: 'integer', minimum: 1, maximum: 10 },
  { type: 'integer', maximum: 5 },
  { type: 'integer', multipleOf: 2 },
  { type: 'number' },
  { type: 'number', maximum: 0.5 },
  { type: 'integer', enum: [1, 2, 3] },
  { type: 'integer', default: 1 },
);
const other = fc.constantFrom<JsonObject>(
  { type: 'boolean' },
  { 'x-kubernetes-int-or-string': true },
  { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 2' }] },
  { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] },
);

const { schema } = fc.letrec<{ schema: JsonObject; leaf: JsonObject; object: JsonObject }>(
  (tie) => ({
    schema: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      tie('leaf'),
      tie('object'),
      tie('leaf').map((items): JsonObject => ({ type: 'array', items: bare(items) })),
      fc
        .tuple(string.map(bare), fc.integer({ min: 0, max: 3 }))
        .map(([items, maxItems]): JsonObject => ({ type: 'array', maxItems, items })),
      fc.constant<JsonObject>({
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'string' },
      }),
      tie('leaf').map((values): JsonObject => ({
        type: 'object',
        additionalProperties: bare(values),
      })),
    ),
    leaf: fc.oneof(string, number, other),
    object: fc
      .tuple(
        fc.uniqueArray(fc.tuple(fc.constantFrom(...names), tie('schema')), {
          minLength: 1,
          maxLength: 3,
          selector: ([name]) => name,
        }),
        fc.boolean(),
      )
      .map(([fields, isRequired]): JsonObject => ({
        type: 'object',
        properties: Object.fromEntries(fields),
        ...(isRequired && fields[0] !== undefined ? { required: [fields[0][0]] } : {}),
      })),
  }),
);

/** Defaults are not allowed everywhere. */
function bare(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== 'default'));
}

const fields = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...names), schema), {
    minLength: 1,
    maxLength: 4,
    selector: ([name]) => name,
  })
  .map((each) => Object.fromEntries(each) as JsonObject);

/** Mostly alike: some fields changed, gone, new, required. */
export const schemaPairs: fc.Arbitrary<SchemaPair> = fc
  .tuple(
    fields,
    fields,
    fc.array(fc.constantFrom('old', 'new', 'gone'), { minLength: 4, maxLength: 4 }),
    fc.subarray([...names]),
    fc.subarray([...names]),
  )
  .map(([old, other, choices, requiredBefore, requiredAfter]) => {
    const after: [string, JsonValue][] = [];
    for (const [index, name] of names.entries()) {
      const chosen =
        choices[index] === 'new' ? (own(other, name) ?? own(old, name)) : own(old, name);
      if (chosen !== undefined && choices[index] !== 'gone') after.push([name, chosen]);
    }
    const properties = Object.fromEntries(after);
    return {
      old: { type: 'object', properties: old, required: among(requiredBefore, old) },
      new: { type: 'object', properties, required: among(requiredAfter, properties) },
    };
  });

function among(wanted: readonly string[], properties: JsonObject): string[] {
  return wanted.filter((name) => Object.hasOwn(properties, name));
}

const scalars = fc.constantFrom<JsonValue>(
  ...['', 'a', 'one', 'two', 'three', 'abcde', 'abcdefghij', 'A-1', '2024-01-01T00:00:00Z'],
  ...[0, 1, 2, 3, 4, 5, 6, 10, 11, -1, 0.5, 0.75, 2 ** 40],
  ...[true, false, null],
);

/** Objects that a schema may take, its boundaries among them. */
export function valuesFor(schema: JsonObject): fc.Arbitrary<JsonValue> {
  const [items, others] = [own(schema, 'items'), own(schema, 'additionalProperties')];
  const properties = own(schema, 'properties');
  if (isObject(items ?? null)) {
    return fc.array(valuesFor(items as JsonObject), { maxLength: 4 });
  }
  if (isObject(others ?? null)) {
    return fc.dictionary(fc.constantFrom('k', 'l'), valuesFor(others as JsonObject));
  }
  if (isObject(properties ?? null)) {
    const each = Object.entries(properties as JsonObject).map(
      ([name, inner]) => [name, valuesFor(inner as JsonObject)] as const,
    );
    const required = own(schema, 'required');
    const requiredKeys = Array.isArray(required) ? required.map(String) : [];
    return fc.record(Object.fromEntries(each), { requiredKeys });
  }
  const listed = own(schema, 'enum');
  if (Array.isArray(listed)) return fc.constantFrom(...listed);
  switch (own(schema, 'type')) {
    case 'string':
      return fc.oneof(
        scalars.filter((value) => typeof value === 'string'),
        fc.stringMatching(/^[a-z0-9-]{0,10}$/),
      );
    case 'integer':
      return fc.oneof(
        scalars.filter((value) => Number.isInteger(value)),
        fc.integer({ min: -12, max: 12 }),
      );
    case 'number':
      return scalars.filter((value) => typeof value === 'number');
    case 'boolean':
      return fc.boolean();
    case 'object':
      return fc.dictionary(fc.constantFrom('k', 'l', 'alpha'), scalars);
    default:
      return fc.oneof(
        scalars.filter((value) => typeof value === 'string' || Number.isInteger(value)),
      );
  }
}
