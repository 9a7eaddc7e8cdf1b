/**
 * Definitions with one to three random changes, of those of the golden rows and of random schemas: names,
 * versions, schemas, rules and everything else that servers validate. The same seed gives the same
 * definitions.
 */
import { types, type CelType } from '../../src/cel/index.js';
import { listOfType, mapOfType } from '../../src/cel/types.js';
import { exampleOfSpec } from '../../src/upgrade/rules/crd/example-definition.js';
import { isObject, parseJson, stringifyJson, type JsonObject, type JsonValue } from '../../src/text/documents/index.js'; // prettier-ignore
import { Expressions } from '../cel/random-expressions.js';
import { goldenRows } from '../golden/golden.js';
import { Random, randomSchema } from './random-schemas.js';

export interface MutatedDefinition extends JsonObject {
  id: string;
  new: JsonObject;
}

const keywords: readonly [string, readonly [JsonValue, ...JsonValue[]]][] = [
  ['type', ['string', 'integer', 'object', 'array', 'boolean', 'number', 'null', '']],
  ['maxLength', [1, 63, 1_000, 100_000, -1]],
  ['maxItems', [1, 10, 1_000, 100_000]],
  ['maxProperties', [1, 10, 1_000]],
  ['format', ['date-time', 'byte', 'duration', 'int32', 'k8s-short-name', 'unknown']],
  ['pattern', ['^a+$', '(', '(?=a)', 'a{1001}']],
  ['default', ['', 1, {}, [], null, { a: 1 }]],
  ['enum', [['a', 'b'], [], [1], ['a', 'a']]],
  ['nullable', [true, false]],
  ['required', [['a'], ['spec'], []]],
  ['uniqueItems', [true]],
  ['additionalProperties', [true, false, { type: 'string' }]],
  ['items', [{ type: 'string' }, [{ type: 'string' }]]],
  ['anyOf', [[{ required: ['a'] }], [{ type: 'string' }], [{ additionalProperties: false }]]],
  ['x-kubernetes-preserve-unknown-fields', [true, false]],
  ['x-kubernetes-int-or-string', [true]],
  ['x-kubernetes-embedded-resource', [true]],
  ['x-kubernetes-list-type', ['set', 'map', 'atomic', 'bag']],
  ['x-kubernetes-list-map-keys', [['name'], []]],
  ['x-kubernetes-map-type', ['granular', 'atomic', 'other']],
];

const rules = [
  'true', 'self', 'self == oldSelf', 'has(self.a)', 'self.all(x, x == x)', 'self.size() > 0',
  "self.matches('^a+$')", 'isIP(self)', 'self.first() == self.last()', 'quantity(self).isGreaterThan(quantity("1"))',
  'self.exists(a, self.exists(b, a == b))', 'self.map(x, x).size() < 10', 'semver(self).major() > 1',
  'sets.contains(self, self)', 'self.all(i, x, x != i)', 'cidr(self).containsIP("10.0.0.1")', 'self.sort() == self',
  'self.split(",").map(x, x.trim()).join("") == self', 'self > 0', 'self +', '"%d".format([self]) == ""',
  'self.?a.orValue(1) == 1', 'oldSelf.hasValue()', 'dyn(self) == 1', 'duration(self) > duration("1h")',
] as const; // prettier-ignore

const texts = ['', 'v1', 'V1', 'a.b', 'widgets', 'Widget', 'example.com', '.spec.size', '.spec.replicas', '.status.x', 'Namespaced', 'None', 'Webhook', 'string', 'date'] as const; // prettier-ignore

/** About half of them are updates, with an `old`. */
export function mutatedDefinitions(count: number, seed: number): MutatedDefinition[] {
  const random = new Random(seed);
  const seeds = goldenRows('definitions-synthetic')
    .map(({ new: definition }) => definition)
    .filter((definition): definition is JsonObject => isObject(definition));
  return Array.from({ length: count }, (_, index) => {
    const old = random.chance(0.6)
      ? random.pick(seeds as [JsonObject, ...JsonObject[]])
      : exampleOfSpec(randomSchema(random));
    const next = parseJson(stringifyJson(old)) as JsonObject;
    for (let change = random.pick([1, 1, 2, 3]); change > 0; change--) mutate(next, random);
    const isUpdate = random.chance(0.5);
    return { id: `mut-${seed}-${index}`, ...(isUpdate ? { old } : {}), new: next };
  });
}

interface Slot {
  readonly holder: JsonObject | JsonValue[];
  readonly key: string | number;
}

/** Changes it in place. */
export function mutate(definition: JsonObject, random: Random): void {
  const spec = definition['spec'];
  if (!isObject(spec)) return;
  const schemas: JsonObject[] = [];
  const slots: Slot[] = [];
  collect(spec, '', schemas, slots);
  const kind = random.pick(['keyword', 'keyword', 'rule', 'rule', 'drop', 'replace'] as const);
  if (kind === 'keyword' && schemas.length > 0) {
    const [keyword, values] = random.pick(keywords as [(typeof keywords)[0], ...(typeof keywords)[0][]]); // prettier-ignore
    random.pick(schemas as [JsonObject, ...JsonObject[]])[keyword] = copy(random.pick(values));
  } else if (kind === 'rule' && schemas.length > 0) {
    const schema = random.pick(schemas as [JsonObject, ...JsonObject[]]);
    const rule: JsonObject = { rule: randomRule(schema, random) };
    if (random.chance(0.2)) rule['message'] = random.pick(['', 'no', 'a\nb']);
    if (random.chance(0.2))
      rule['messageExpression'] = random.chance(0.5)
        ? random.pick(['"a"', 'self', 'string(self)'])
        : new Expressions(random, variables(schema)).of(types.string, 2);
    if (random.chance(0.1)) rule['reason'] = random.pick(['FieldValueInvalid', 'Other']);
    if (random.chance(0.1)) rule['optionalOldSelf'] = random.chance(0.5);
    if (random.chance(0.1)) rule['fieldPath'] = random.pick(['.a', '.spec', 'a', '']);
    schema['x-kubernetes-validations'] = [rule];
  } else if (slots.length > 0) {
    const { holder, key } = random.pick(slots as [Slot, ...Slot[]]);
    const value = valueIn(holder, key);
    if (kind === 'drop') {
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
    } else if (typeof value === 'string') set(holder, key, random.pick(texts));
    else if (typeof value === 'boolean') set(holder, key, !value);
    else if (typeof value === 'number') set(holder, key, random.pick([0, 1, 63, 1_000_000]));
    else if (Array.isArray(value) && value.length > 0) value.push(copy(value[0] as JsonValue));
    else set(holder, key, random.pick<JsonValue>(['a', 1, null]));
  }
}

/** Of the list above, or over every function there is. */
function randomRule(schema: JsonObject, random: Random): string {
  if (random.chance(0.4)) return random.pick(rules);
  return new Expressions(random, variables(schema), 0.01).of(types.bool, random.pick([1, 2, 2, 3]));
}

function variables(schema: JsonObject): ReadonlyMap<string, CelType> {
  const self = typeOf(schema);
  return new Map([
    ['self', self],
    ['oldSelf', self],
  ]);
}

/** What rules see of simple schemas; dyn is a fair guess for the others. */
function typeOf(schema: JsonValue | undefined): CelType {
  if (!isObject(schema ?? null)) return types.dyn;
  const { type, format, items, properties, additionalProperties } = schema as JsonObject;
  if (type === 'array') return listOfType(typeOf(items));
  if (type === 'object' && isObject(additionalProperties ?? null)) {
    return mapOfType(types.string, typeOf(additionalProperties));
  }
  if (type === 'object' && isObject(properties ?? null)) {
    const fields = Object.entries(properties as JsonObject).map(([name, of]) => [name, typeOf(of)] as const); // prettier-ignore
    return { ...mapOfType(types.string, types.dyn), fields: new Map(fields) };
  }
  if (type === 'string' && format === 'date-time') return types.timestamp;
  if (type === 'string' && format === 'duration') return types.duration;
  if (type === 'string' && format === 'byte') return types.bytes;
  const scalars: Record<string, CelType> = {
    string: types.string,
    integer: types.int,
    number: types.double,
    boolean: types.bool,
  };
  return (typeof type === 'string' ? scalars[type] : undefined) ?? types.dyn;
}

function valueIn(holder: JsonObject | JsonValue[], key: string | number): JsonValue {
  return (Array.isArray(holder) ? holder[Number(key)] : holder[key]) ?? null;
}

function set(holder: JsonObject | JsonValue[], key: string | number, value: JsonValue): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

/** Schemas, and every place that holds a value. */
function collect(value: JsonValue, name: string, schemas: JsonObject[], slots: Slot[]): void {
  if (Array.isArray(value)) {
    value.forEach((item, key) => {
      slots.push({ holder: value, key });
      collect(item, name, schemas, slots);
    });
  } else if (isObject(value)) {
    const isSchema = ['type', 'properties', 'items'].some((key) => Object.hasOwn(value, key));
    if (isSchema && name !== 'properties') schemas.push(value);
    for (const [key, item] of Object.entries(value)) {
      slots.push({ holder: value, key });
      collect(item, key, schemas, slots);
    }
  }
}

const copy = (value: JsonValue): JsonValue => parseJson(stringifyJson(value));
