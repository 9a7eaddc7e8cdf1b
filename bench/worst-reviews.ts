/**
 * Processor time of one review by definitions that are made to cost most of it, each of about 1.4 MB:
 * `npm run build && npx tsx bench/worst-reviews.ts [FAMILY…]`. Exits 1 when one takes more than the limit.
 */
import { reviewText, definition, responseIn } from '../test/server/reviews.js';
import { send } from '../test/server/gate.js';
import type { JsonObject } from '../src/text/documents/index.js';
import { shippedNode, startGateProcess } from './gate-process.js';
import { tell } from './measure.js';

const limit = 2;
const maxBytes = 1_400_000;

/** The schema of a field, by the field's number. */
type Field = (index: number, isNew: boolean) => JsonObject;
const slow = '^[ab]*a[ab]{14}$';
const odd = (index: number): string =>
  `^([ab]{${(index % 9) + 3}}|c)*[ab]*a[ab]{${(index % 7) + 9}}$`;

const families: Readonly<Record<string, Field>> = {
  patterns: (_, isNew) => ({ type: 'string', pattern: isNew ? '^[ab]*a[ab]{13}$' : slow }),
  automata: (index, isNew) => ({
    type: 'string',
    pattern: isNew ? odd(index + 1) : odd(index),
    minLength: 4,
  }),
  bounds: (index, isNew) => ({ type: 'string', maxLength: index + (isNew ? 3 : 4) }),
  lists: (index, isNew) => ({
    ...{ type: 'array', 'x-kubernetes-list-type': isNew ? 'map' : 'atomic' },
    ...(isNew ? { 'x-kubernetes-list-map-keys': ['a', 'b'] } : {}),
    items: {
      ...{ type: 'object', required: ['a', 'b'] },
      properties: { a: { type: 'string', maxLength: 9 }, b: { type: 'integer', maximum: index } },
    },
  }),
  unions: (index, isNew) => ({
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'string' }, c: { type: 'boolean' } },
    oneOf: [
      { required: ['a'], properties: { a: { minimum: isNew ? index + 1 : index } } },
      { required: ['b'], properties: { b: { pattern: slow } } },
      { required: ['c'], not: { required: ['a'] } },
    ] as JsonObject[],
  }),
  rules: (index, isNew) => ({
    ...{
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string', maxLength: 9 } },
    },
    'x-kubernetes-validations': [
      {
        rule: `self.a * ${index + (isNew ? 3 : 2)} > self.a + size(self.b) || (has(self.b) && self.b.matches('^a{${(index % 7) + 1}}b*$'))`,
      },
    ],
  }),
  oldRules: (index, isNew) => ({
    ...{ type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
    'x-kubernetes-validations': [
      {
        rule: `self.a == oldSelf.a || self.b + ${index} > oldSelf.b ${isNew ? '&&' : '||'} self.a != 7`,
      },
    ],
  }),
  transitions: (index, isNew) => ({
    ...{ type: 'array', minItems: 300, maxItems: 400 + index },
    items: { type: 'integer', ...(isNew ? { minimum: index } : {}) },
    'x-kubernetes-validations': [
      { rule: `self.all(x, oldSelf.exists(y, y == x + ${isNew ? 1 : 0} || x > ${index}))` },
    ],
  }),
  defaults: (index, isNew) => ({
    type: 'object',
    ...(isNew ? { default: { a: index } } : {}),
    properties: {
      a: { type: 'integer', default: isNew ? 1 : 2 },
      b: { type: 'string', enum: ['x', 'y', isNew ? 'z' : 'w'] },
    },
  }),
  enums: (index, isNew) => ({
    type: 'string',
    enum: Array.from({ length: isNew ? 99 : 100 }, (_, each) => `${index}-${each}`),
  }),
  long: (index, isNew) => ({
    type: 'string',
    ...{ minLength: 90_000 + index, maxLength: isNew ? 95_000 + index : 99_000 + index },
  }),
  many: (index, isNew) => ({
    type: 'array',
    ...{ minItems: 1000 + index, maxItems: isNew ? 1500 + index : 1600 + index },
    items: { type: 'object', required: ['a'], properties: { a: { type: 'integer', minimum: 3 } } },
  }),
  keys: (index, isNew) => ({
    type: 'object',
    ...{ minProperties: 500 + index, maxProperties: isNew ? 700 + index : 900 + index },
    additionalProperties: { type: 'string', maxLength: isNew ? 20 : 30 },
  }),
  sets: (index, isNew) => ({
    ...{ type: 'array', 'x-kubernetes-list-type': isNew ? 'set' : 'atomic', minItems: 100 + index },
    items: { type: 'string', pattern: `^[a-z]{${(index % 9) + 3}}$` },
  }),
  deep: (index, isNew) => {
    let inner: JsonObject = { type: 'integer', maximum: isNew ? index : index + 1 };
    for (let level = 0; level < 20; level++)
      inner = { type: 'object', required: ['a'], properties: { a: inner, b: { type: 'string' } } };
    return inner;
  },
  all: (index, isNew) => ({
    type: 'object',
    properties: {
      a: {
        ...{ type: 'array', maxItems: 20 },
        items: { type: 'string', maxLength: 9 },
      },
      b: { type: 'string', maxLength: isNew ? 8 : 9 },
    },
    'x-kubernetes-validations': [
      { rule: `self.a.all(x, self.a.exists(y, x != y && size(x) < ${index + (isNew ? 1 : 2)}))` },
    ],
  }),
  optionals: (index, isNew) => {
    const nested = (depth: number): string =>
      depth === 0
        ? `v1 != ${index}`
        : `self.?${'abc'.charAt(depth % 3)}.optMap(v${depth}, ${nested(depth - 1)}).orValue(${depth % 2 === 0})`;
    return {
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: nested(isNew ? 20 : 19) }],
    };
  },
};

function schema(field: Field, count: number, isNew: boolean): JsonObject {
  const entries = Array.from({ length: count }, (_, index) => [`f${index}`, field(index, isNew)]);
  const properties = Object.fromEntries(entries) as JsonObject;
  if (!isNew) properties['gone'] = { type: 'string' };
  return { type: 'object', properties: { spec: { type: 'object', properties } } };
}

const defined = (openAPIV3Schema: JsonObject): JsonObject =>
  definition({
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
  });

function review(field: Field, bytes = maxBytes): string {
  const of = (count: number): string =>
    reviewText({
      oldObject: defined(schema(field, count, false)),
      object: defined(schema(field, count, true)),
    });
  const each = (of(200).length - of(100).length) / 100;
  return of(Math.floor(bytes / each));
}

const wanted = process.argv.slice(2);
for (const [name, field] of Object.entries(families)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const gate = await startGateProcess([], { node: shippedNode });
  const body = review(field);
  // Its threads are started, and what they run is compiled.
  for (const each of [field, ...Object.values(families)]) {
    await send(gate.url, gate.authority, review(each, 50_000), { path: '/validate?timeout=10s' });
  }
  const before = await gate.processorSeconds();
  const answer = await send(gate.url, gate.authority, body, { path: '/validate?timeout=10s' });
  const value = (await gate.processorSeconds()) - before;
  const allowed = responseIn(answer.text).allowed;
  tell({
    what: `${name}, ${(body.length / 1e6).toFixed(1)} MB, ${allowed ? 'allowed' : 'denied'}`,
    value,
    unit: ' s',
    limit,
  });
  await gate.stop();
}
