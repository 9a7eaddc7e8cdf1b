/**
 * Writes pairs of CustomResourceDefinitions to standard output, as JSON lines `{id, old, new}`: a field in
 * which keywords change that no validation of crdify knows. `npm run reference -- olm-v1-unhandled
 * --write` gives them their answers.
 */
import fc from 'fast-check';

const short = fc.constantFrom('date', 'two words', 'a "b"', 'a`b', 'a\nb', 'é', '<&>', '\\d', '\t');
const texts = fc.oneof(short, fc.constant('a'.repeat(40)));
const keywords: Record<string, fc.Arbitrary<unknown>> = {
  format: texts,
  title: texts,
  id: short,
  multipleOf: fc.constantFrom(2, 2.5, 1e6, 1e21, 1e-7, 12_345_678),
  exclusiveMaximum: fc.boolean(),
  exclusiveMinimum: fc.boolean(),
  uniqueItems: fc.boolean(),
  'x-kubernetes-embedded-resource': fc.boolean(),
  'x-kubernetes-int-or-string': fc.boolean(),
  'x-kubernetes-preserve-unknown-fields': fc.constant(true),
  'x-kubernetes-list-type': fc.constantFrom('atomic', 'set', 'map'),
  'x-kubernetes-map-type': fc.constantFrom('atomic', 'granular'),
};
/** In one of the two only: what is in both is compared inside, in a report of several lines. */
const onOneSide: Record<string, fc.Arbitrary<unknown>> = {
  'x-kubernetes-list-map-keys': fc.array(short, { minLength: 1, maxLength: 2 }),
  'x-kubernetes-validations': fc.array(
    fc.record({ rule: short, message: short }, { requiredKeys: ['rule'] }),
    { minLength: 1, maxLength: 2 },
  ),
  not: fc.constant({ required: ['a'] }),
  allOf: fc.constant([{ pattern: 'a' }]),
  anyOf: fc.constant([{ type: 'string' }, { type: 'integer' }]),
  additionalProperties: fc.constantFrom(true, { type: 'string' }),
};

const both = { ...keywords, ...onOneSide };
const change = fc.constantFrom(...Object.keys(both)).chain((keyword) => {
  const value = both[keyword] ?? fc.constant(null);
  const other =
    keyword in onOneSide ? fc.constant(undefined) : fc.option(value, { nil: undefined });
  return fc.tuple(fc.constant(keyword), value, other, fc.boolean());
});
const pair = fc
  .uniqueArray(change, { selector: ([keyword]) => keyword, minLength: 1, maxLength: 3 })
  .filter((changes) => changes.every(([, one, other]) => !(isLong(one) && isLong(other))))
  .map((changes) => {
    const [old, next]: Record<string, unknown>[] = [{ type: 'string' }, { type: 'string' }];
    for (const [keyword, one, other, isTurned] of changes) {
      const [before, after] = isTurned ? [other, one] : [one, other];
      if (before !== undefined && old !== undefined) old[keyword] = before;
      if (after !== undefined && next !== undefined) next[keyword] = after;
    }
    return [old, next];
  });

const isLong = (value: unknown): boolean => typeof value === 'string' && value.length >= 32;

function definition(field: unknown): unknown {
  const openAPIV3Schema = { type: 'object', properties: { a: field } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'cats.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Cat', plural: 'cats' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

const [count = '300', seed = '1'] = process.argv.slice(2);
const pairs = fc.sample(pair, { numRuns: Number(count), seed: Number(seed) });
for (const [index, [old, next]] of pairs.entries()) {
  const id = `crd-unhandled-${String(index + 1).padStart(4, '0')}`;
  console.log(JSON.stringify({ id, old: definition(old), new: definition(next) }));
}
