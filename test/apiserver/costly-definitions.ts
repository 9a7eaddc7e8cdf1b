/**
 * Definitions with one rule over lists, maps and texts of which some have no bound, or a wide one: many
 * cost more than a server spends on them. The same seed gives the same definitions.
 */
import { exampleOfSpec } from '../../src/upgrade/rules/crd/example-definition.js';
import type { JsonObject, JsonValue } from '../../src/text/documents/index.js';
import { Random } from './random-schemas.js';

export function costlyDefinitions(count: number, seed: number): JsonObject[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => exampleOfSpec(around(ruled(random), random)));
}

const texts = [
  "self.matches('^[a-z]+$')",
  "self.contains('abc')",
  "self.split(',').all(x, x.startsWith('a'))",
  'self == oldSelf',
  "self.replace('a', 'bb').size() < 10",
] as const;
const lists = [
  'self.all(x, self.exists(y, x == y))',
  'self.all(x, self.exists_one(y, x == y))',
  'self.all(x, x != self[0])',
  'self.isSorted()',
  'self.filter(x, x == self[0]).size() < 2',
] as const;
const objects = [
  'self.l.all(x, self.l.exists(y, x.a == y.a))',
  'self.l.all(x, x.a.contains(self.s))',
  "self.l.exists(x, x.a == self.s) || self.s.matches('^a')",
  'self.l.all(x, x.m.all(k, k == x.a))',
  'self.l.map(x, x.a).all(a, a != self.s)',
] as const;
const maps = [
  "self.all(k, self[k].startsWith('a'))",
  'self.all(k, self.exists(o, self[k] == self[o]))',
  'self.all(k, k in self)',
] as const;

/** The schema that has the rule. */
function ruled(random: Random): JsonObject {
  const rule = (of: readonly [string, ...string[]]): JsonObject => ({
    'x-kubernetes-validations': [{ rule: random.pick(of) }],
  });
  switch (random.pick(['text', 'list', 'object', 'map'])) {
    case 'text':
      return { ...text(random), ...rule(texts) };
    case 'list':
      return { ...list(random.chance(0.5) ? { type: 'integer' } : text(random), random), ...rule(lists) }; // prettier-ignore
    case 'map':
      return { ...map(text(random), random), ...rule(maps) };
    default: {
      const item = { a: text(random), m: map(text(random), random) };
      const l = list({ type: 'object', required: ['a', 'm'], properties: item }, random);
      return { type: 'object', required: ['l', 's'], properties: { l, s: text(random) }, ...rule(objects) }; // prettier-ignore
    }
  }
}

/** Lists, maps and objects around it. */
function around(schema: JsonObject, random: Random): JsonObject {
  let outer = schema;
  for (let depth = random.pick([0, 0, 1, 1, 2, 3]); depth > 0; depth--) {
    const kind = random.pick(['list', 'map', 'object']);
    if (kind === 'list') outer = list(outer, random);
    else if (kind === 'map') outer = map(outer, random);
    else outer = { type: 'object', properties: { inner: outer } };
  }
  return { type: 'object', properties: { value: outer } };
}

/** Written beside the type, in a branch of allOf, where servers do not count it, or not at all. */
function bound(
  keyword: string,
  values: readonly [number, ...number[]],
  random: Random,
): JsonObject {
  const value = random.pick(values);
  const where = random.pick(['beside', 'beside', 'nowhere', 'nowhere', 'allOf']);
  if (where === 'nowhere') return {};
  return where === 'beside' ? { [keyword]: value } : { allOf: [{ [keyword]: value }] };
}

const text = (random: Random): JsonObject => ({
  type: 'string',
  ...bound('maxLength', [10, 63, 1_000, 100_000], random),
});
const list = (items: JsonValue, random: Random): JsonObject => ({
  type: 'array',
  items,
  ...bound('maxItems', [8, 100, 5_000, 300_000], random),
});
const map = (values: JsonValue, random: Random): JsonObject => ({
  type: 'object',
  additionalProperties: values,
  ...bound('maxProperties', [8, 100, 5_000, 300_000], random),
});
