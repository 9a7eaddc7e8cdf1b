/**
 * Writes pairs of CustomResourceDefinitions to standard output, as JSON lines `{id, old, new}`: a field
 * whose `oneOf` changes, with every keyword in its alternatives. `npm run reference -- crdify --write`
 * gives them their answers.
 */
import fc from 'fast-check';

type Schema = Record<string, unknown>;

const names = fc.constantFrom('a', 'b', 'long name', 'é');
const value = fc.constantFrom<unknown>('x', '<&>', 1, 1.5, 1e21, true, null, [1], { b: 1, a: [] });
const number = fc.constantFrom(0, 1, -2.5, 1e6, 999_999, 1e-7, 12_345_678.5);
const count = fc.constantFrom(0, 1, 12, 9_007_199_254_740_991);
const text = fc.constantFrom('', 'x', 'two words', '^[a-z]+$', '"q"');

const flat: Record<string, fc.Arbitrary<unknown>> = {
  $ref: text,
  $schema: text,
  default: value,
  description: text,
  enum: fc.array(value, { maxLength: 3 }),
  example: value,
  exclusiveMaximum: fc.boolean(),
  exclusiveMinimum: fc.boolean(),
  externalDocs: fc.record({ description: text, url: text }, { requiredKeys: [] }),
  format: text,
  id: text,
  maximum: number,
  maxItems: count,
  maxLength: count,
  maxProperties: count,
  minimum: number,
  minItems: count,
  minLength: count,
  minProperties: count,
  multipleOf: number,
  nullable: fc.boolean(),
  pattern: text,
  required: fc.array(names, { maxLength: 2 }),
  title: text,
  type: fc.constantFrom('string', 'object', 'integer'),
  uniqueItems: fc.boolean(),
  'x-kubernetes-embedded-resource': fc.boolean(),
  'x-kubernetes-int-or-string': fc.boolean(),
  'x-kubernetes-list-map-keys': fc.array(names, { maxLength: 2 }),
  'x-kubernetes-list-type': fc.constantFrom('set', 'map'),
  'x-kubernetes-map-type': fc.constantFrom('atomic', 'granular'),
  'x-kubernetes-preserve-unknown-fields': fc.boolean(),
  'x-kubernetes-validations': fc.array(
    fc.record(
      {
        rule: text,
        message: text,
        messageExpression: text,
        reason: fc.constantFrom('FieldValueInvalid'),
        fieldPath: text,
        optionalOldSelf: fc.boolean(),
      },
      { requiredKeys: ['rule'] },
    ),
    { maxLength: 2 },
  ),
};

/** Few keywords at a time: alternatives that are like nothing else are compared with nothing. */
function someOf(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Schema> {
  const entry = fc
    .constantFrom(...Object.keys(keywords))
    .chain((key) => (keywords[key] ?? value).map((each) => [key, each] as const));
  return fc.array(entry, { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

function nested(inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  const list = fc.array(inner, { maxLength: 2 });
  const map = fc.dictionary(names, inner, { maxKeys: 2 });
  return someOf({
    ...flat,
    additionalItems: fc.oneof(fc.boolean(), inner),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    allOf: list,
    anyOf: list,
    definitions: map,
    dependencies: fc.dictionary(names, fc.oneof(inner, fc.array(names, { maxLength: 2 })), {
      maxKeys: 2,
    }),
    items: fc.oneof(inner, list),
    not: inner,
    oneOf: list,
    patternProperties: map,
    properties: map,
  });
}

const schema = nested(nested(someOf(flat)));

interface Versions {
  readonly v1: Schema | null;
  readonly v1beta1: Schema | null;
}

/** Alternatives of one stock, so that both sides share some; in many pairs only words or their order differ. */
const pair = fc.array(schema, { minLength: 1, maxLength: 3 }).chain((stock) => {
  const words = fc.option(someOf({ description: text, title: text }), { nil: {}, freq: 2 });
  const branch = fc
    .tuple(fc.constantFrom(...stock), words)
    .map(([each, more]) => ({ ...each, ...more }));
  const beside = fc.option(someOf({ format: text, title: text }), { nil: {}, freq: 2 });
  const field = (alternatives: fc.Arbitrary<readonly Schema[] | null>): fc.Arbitrary<Schema> =>
    fc
      .tuple(alternatives, beside)
      .map(([oneOf, more]) => ({ ...more, type: 'object', ...(oneOf === null ? {} : { oneOf }) }));
  const other = field(fc.option(fc.array(branch, { maxLength: 3 })));
  const all = field(
    fc
      .shuffledSubarray(stock, { minLength: stock.length })
      .chain((each) => fc.tuple(...each.map((it) => words.map((more) => ({ ...it, ...more }))))),
  );
  const any = fc.oneof(all, all, other);
  const versions = fc.record({ v1: any, v1beta1: fc.option(any, { freq: 2 }) });
  return fc.tuple(versions, fc.option(versions, { freq: 40 }));
});

function definition({ v1, v1beta1 }: Versions): Schema {
  const version = (name: string, field: Schema | null): Schema => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: {
      openAPIV3Schema: { type: 'object', properties: field === null ? {} : { spec: field } },
    },
  });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [...(v1beta1 === null ? [] : [version('v1beta1', v1beta1)]), version('v1', v1)],
    },
  };
}

fc.sample(pair, { seed: 15, numRuns: 1000 }).forEach(([old, next], index) => {
  const row = {
    id: `one-of-${String(index).padStart(4, '0')}`,
    old: definition(old),
    new: definition(next ?? { v1: null, v1beta1: null }),
  };
  console.log(JSON.stringify(row));
});
