/**
 * Pseudo-random structural schemas with every keyword that Kubernetes knows, and values that often
 * fit them. The same seed gives the same schemas.
 */
import { NumberText, type JsonObject, type JsonValue } from '../../src/text/documents/index.js';
import { rulesFor } from './random-rules.js';

export class Random {
  constructor(private state: number) {}

  /** From 0 to 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[Math.floor(this.next() * from.length)] ?? from[0];
  }

  times<T>(counts: readonly [number, ...number[]], make: () => T): T[] {
    return Array.from({ length: this.pick(counts) }, make);
  }
}

const formats = [
  'date', 'date-time', 'duration', 'byte', 'email', 'hostname', 'ipv4', 'ipv6', 'cidr', 'mac', 'uri',
  'uuid', 'uuid3', 'uuid4', 'uuid5', 'isbn', 'isbn10', 'isbn13', 'creditcard', 'ssn', 'hexcolor',
  'rgbcolor', 'password', 'bsonobjectid', 'k8s-short-name', 'k8s-long-name', 'int32', 'int64', 'float',
  'double', 'datetime', 'unknown',
] as const; // prettier-ignore

const patterns = [
  '^[a-z]+$', 'a.b', '^\\d{2}$', '(?i)^ABC$', '^[[:alpha:]]+$', '^\\pL+$', '^(a|b)*$', '^.$', '\\s',
  '^[^a]$', '^a{0,3}$', '^é$', '(a+)+$', '\\Aa\\z', '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', '(?P<n>a)(?P<n>b)',
  '^\\Qa.b\\E$', '(?s)^a.b$', '(?m)^b$', '\\x{e9}', '\\bab\\b',
] as const; // prettier-ignore

const texts = [
  '', 'a', 'ab', 'abc', 'ABC', '1', '12', 'x y', 'é', '😀', 'a\nb', 'a.b', '2024-01-01', '2024-02-30',
  '2024-01-01T00:00:00Z', '2024-01-01T00:00:00.5+02:00', '1h', '1h30m', '3 days', '-1.5h', 'a@b.c',
  'A <a@b.c>', '@', '1.2.3.4', '01.2.3.4', '::1', 'fe80::1%eth0', '10.0.0.0/8', '10.0.0.1/33',
  '00:11:22:33:44:55', '0011.2233.4455', 'http://a.b/c?d#e', 'http://a:80:90', 'http://%zz', '/x',
  '550e8400-e29b-41d4-a716-446655440000', '0321751043', '978-0321751041', '4111 1111 1111 1111',
  '123-45-6789', '#fff', 'rgb(1,2,3)', 'YWJj', 'YQ', '507f1f77bcf86cd799439011', 'my-name', '-a', 'a_b',
  '1.5', '1Gi', '100m', 'v1.2.3', '50%',
] as const; // prettier-ignore

const numbers = [
  '0', '1', '2', '-1', '3', '5', '10', '1.0', '1.5', '0.5', '-0.5', '2.5', '1e3', '1e20', '0.1', '0.3',
  '9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775808', '65', '-0',
  '3.0000000001', '2147483648',
] as const; // prettier-ignore

const fieldNames = ['a', 'b', 'c', 'a-b', 'for'] as const;

type Kind =
  'string' | 'integer' | 'number' | 'boolean' | 'intOrString' | 'any' | 'array' | 'object';

const number = (random: Random): JsonValue => exact(random.pick(numbers));

/** A number as it is written; plain where JavaScript would write the same. */
function exact(text: string): JsonValue {
  return String(Number(text)) === text ? Number(text) : new NumberText(text);
}

export function randomSchema(random: Random, depth = 0): JsonObject {
  const kind = random.pick<Kind>(
    depth > 2
      ? ['string', 'integer', 'number', 'boolean', 'intOrString']
      : ['string', 'string', 'integer', 'number', 'boolean', 'intOrString', 'any', 'array', 'array', 'object', 'object', 'object'], // prettier-ignore
  );
  const schema: JsonObject = {};
  if (kind === 'intOrString') schema['x-kubernetes-int-or-string'] = true;
  else if (kind === 'any') schema['x-kubernetes-preserve-unknown-fields'] = true;
  else schema['type'] = kind;
  if (kind === 'object') addFields(random, schema, depth);
  if (kind === 'array') addItems(random, schema, depth);
  if (random.chance(0.15)) schema['nullable'] = true;
  addBounds(random, schema, kind);
  if (random.chance(0.15)) addLogic(random, schema, schema, 0);
  if (random.chance(0.15)) schema['default'] = randomValue(random, schema, 0.02);
  if (random.chance(0.3)) {
    const rules = rulesFor(random, schema);
    if (rules.length > 0) schema['x-kubernetes-validations'] = rules;
  }
  return schema;
}

function addFields(random: Random, schema: JsonObject, depth: number): void {
  const shape = random.next();
  if (shape < 0.65) {
    const names = fieldNames.filter(() => random.chance(0.6));
    schema['properties'] = Object.fromEntries(
      names.map((name) => [name, randomSchema(random, depth + 1)]),
    );
    if (random.chance(0.15)) schema['x-kubernetes-preserve-unknown-fields'] = true;
    if (random.chance(0.1)) schema['x-kubernetes-map-type'] = random.pick(['atomic', 'granular']);
  } else if (shape < 0.85) {
    schema['additionalProperties'] = randomSchema(random, depth + 1);
  } else if (shape < 0.92) {
    schema['x-kubernetes-embedded-resource'] = true;
    schema['x-kubernetes-preserve-unknown-fields'] = true;
  } else schema['x-kubernetes-preserve-unknown-fields'] = true;
}

function addItems(random: Random, schema: JsonObject, depth: number): void {
  const type = random.next();
  if (type < 0.25) {
    schema['items'] = { type: random.pick(['string', 'integer', 'number']) };
    schema['x-kubernetes-list-type'] = 'set';
  } else if (type < 0.55) {
    const item = randomSchema(random, 3);
    const keys = random.chance(0.6) ? ['k'] : ['k', 'l'];
    schema['items'] = {
      type: 'object',
      required: keys.filter((key) => key === 'k'),
      properties: {
        k: { type: random.pick(['string', 'integer']) },
        l: { type: 'string', default: 'd' },
        v: item,
      },
    };
    schema['x-kubernetes-list-type'] = 'map';
    schema['x-kubernetes-list-map-keys'] = keys;
  } else {
    schema['items'] = randomSchema(random, depth + 1);
    if (random.chance(0.2)) schema['x-kubernetes-list-type'] = 'atomic';
  }
}

function addBounds(random: Random, schema: JsonObject, kind: Kind | ''): void {
  if (kind === 'integer' || kind === 'number' || kind === 'intOrString') {
    if (random.chance(0.3)) schema['minimum'] = exact(random.pick(['0', '1', '0.5', '-5', '1.5']));
    if (random.chance(0.3)) schema['maximum'] = exact(random.pick(['5', '2.5', '10', '1e3']));
    if ('minimum' in schema && random.chance(0.3)) schema['exclusiveMinimum'] = true;
    if ('maximum' in schema && random.chance(0.3)) schema['exclusiveMaximum'] = true;
    if (random.chance(0.15)) {
      schema['multipleOf'] = exact(random.pick(['2', '0.5', '3', '1.5', '0.1', '1']));
    }
  }
  if (kind === 'string' || kind === 'intOrString') {
    if (random.chance(0.15)) schema['minLength'] = random.pick([0, 1, 2]);
    schema['maxLength'] = random.pick([2, 3, 10, 40]);
    if (random.chance(0.25)) schema['pattern'] = random.pick(patterns);
    if (random.chance(0.35) && kind === 'string') schema['format'] = random.pick(formats);
  }
  if (kind === 'array') {
    if (random.chance(0.2)) schema['minItems'] = random.pick([0, 1, 2]);
    schema['maxItems'] = random.pick([1, 2, 4, 8]);
  }
  if (kind === 'object') {
    if (random.chance(0.15)) schema['minProperties'] = random.pick([0, 1, 2]);
    schema['maxProperties'] = random.pick([2, 4, 8, 8]);
    if (random.chance(0.25)) schema['required'] = [random.pick(['a', 'b', 'c'])];
  }
  if (random.chance(0.1)) {
    schema['enum'] = random.times([1, 2, 3], () => randomValue(random, { type: kind }, 0));
  }
}

/** What may stand beneath allOf, anyOf, oneOf and not: bounds, and fields that are there already. */
function nested(random: Random, of: JsonObject, depth: number): JsonObject {
  const schema: JsonObject = {};
  const kind = (of['type'] ?? (of['x-kubernetes-int-or-string'] ? 'intOrString' : '')) as Kind | '';
  addBounds(random, schema, kind);
  const properties = of['properties'] as Record<string, JsonObject> | undefined;
  if (properties !== undefined && random.chance(0.6)) {
    const names = Object.keys(properties).filter(() => random.chance(0.6));
    schema['properties'] = Object.fromEntries(
      names.map((name) => [name, nested(random, properties[name] ?? {}, depth + 1)]),
    );
  }
  if (random.chance(0.15) && depth < 2) addLogic(random, schema, of, depth + 1);
  return schema;
}

function addLogic(random: Random, schema: JsonObject, of: JsonObject, depth: number): void {
  const operator = random.pick(['anyOf', 'oneOf', 'allOf', 'not']);
  schema[operator] =
    operator === 'not'
      ? nested(random, of, depth)
      : random.times([1, 2, 3], () => nested(random, of, depth));
}

/** A value that fits the schema's type, but for `wild` of them. */
export function randomValue(random: Random, schema: JsonObject, wild = 0.06): JsonValue {
  if (random.chance(wild)) return anything(random);
  const listed = schema['enum'] as [JsonValue, ...JsonValue[]] | undefined;
  if (listed !== undefined && random.chance(0.6)) return random.pick(listed);
  if (schema['x-kubernetes-int-or-string'] === true || schema['type'] === 'intOrString') {
    return random.chance(0.5) ? random.pick(texts) : number(random);
  }
  switch (schema['type']) {
    case 'string':
      return random.pick(texts);
    case 'integer':
    case 'number':
      return number(random);
    case 'boolean':
      return random.chance(0.5);
    case 'array': {
      const items = (schema['items'] ?? {}) as JsonObject;
      return random.times([0, 1, 2, 2, 3], () => randomValue(random, items, wild));
    }
    case 'object':
      return randomObject(random, schema, wild);
    default:
      return anything(random);
  }
}

function randomObject(random: Random, schema: JsonObject, wild: number): JsonObject {
  const object: JsonObject = {};
  const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>;
  for (const [name, property] of Object.entries(properties)) {
    if (random.chance(0.75)) object[name] = randomValue(random, property, wild);
  }
  const additional = schema['additionalProperties'] as JsonObject | undefined;
  if (additional !== undefined) {
    for (const key of ['k', 'l', 'x.y']) {
      if (random.chance(0.35)) object[key] = randomValue(random, additional, wild);
    }
  } else if (random.chance(0.15)) object[random.pick(['zz', 'k'])] = anything(random);
  if (schema['x-kubernetes-embedded-resource'] === true) addIdentity(random, object);
  return object;
}

function addIdentity(random: Random, object: JsonObject): void {
  if (random.chance(0.9)) object['apiVersion'] = random.pick(['v1', 'v1', 'a/v1', 'a/b/c']);
  if (random.chance(0.9)) object['kind'] = random.pick(['Pod', 'Pod', 'po_d', '']);
  if (random.chance(0.7)) {
    object['metadata'] = {
      name: random.pick(['ok', 'ok', 'Bad', 'a/b', '']),
      ...(random.chance(0.3)
        ? { labels: { [random.pick(['a', 'a/b', 'a b'])]: random.pick(['v', '-v', '']) } }
        : {}),
      ...(random.chance(0.2) ? { finalizers: [random.pick(['a/b', 'b d', 'orphan'])] } : {}),
      ...(random.chance(0.1) ? { unknown: 1 } : {}),
    };
  }
}

function anything(random: Random, depth = 0): JsonValue {
  const shape = random.next();
  if (shape < 0.3) return random.pick(texts);
  if (shape < 0.55) return number(random);
  if (shape < 0.65) return random.chance(0.5);
  if (shape < 0.75 || depth > 1) return null;
  if (shape < 0.88) return random.times([0, 1, 2], () => anything(random, depth + 1));
  const entries = random.times(
    [0, 1, 2],
    () => [random.pick(['a', 'k', 'x-y']), anything(random, depth + 1)] as const,
  );
  return Object.fromEntries<JsonValue>(entries);
}

/** The same value, or one with something changed, as an update would send it. */
export function changedValue(random: Random, value: JsonValue, schema: JsonObject): JsonValue {
  if (random.chance(0.25)) return value;
  if (Array.isArray(value) && value.length > 0) {
    const index = Math.floor(random.next() * value.length);
    const items = (schema['items'] ?? {}) as JsonObject;
    if (random.chance(0.3)) return [...value].reverse();
    return value.map((item, at) => (at === index ? changedValue(random, item, items) : item));
  }
  if (typeof value === 'object' && value !== null && !(value instanceof NumberText)) {
    const object = value as JsonObject;
    const [first, ...rest] = Object.keys(object);
    if (first === undefined) return randomValue(random, schema);
    const key = random.pick([first, ...rest]);
    const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>;
    const inner = properties[key] ?? ((schema['additionalProperties'] ?? {}) as JsonObject);
    const next = { ...object, [key]: changedValue(random, object[key] ?? null, inner) };
    if (random.chance(0.1)) delete next[key];
    return next;
  }
  return randomValue(random, schema);
}
