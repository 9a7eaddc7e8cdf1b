/** Pairs written by hand, each with one change: those that do no harm and those that do. */
import { object } from '../../rules/crd/testing/definition.js';
import { NumberText, type JsonObject } from '../../../text/documents/index.js';

/** The schema of one field before and after, and a value that shows the harm where few do. */
export type Row = readonly [title: string, old: JsonObject, next: JsonObject, value?: JsonObject];
const text = (more: JsonObject = {}): JsonObject => ({ type: 'string', ...more });
const whole = (more: JsonObject = {}): JsonObject => ({ type: 'integer', ...more });
const double = (more: JsonObject = {}): JsonObject => ({ type: 'number', ...more });
const list = (items: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'array',
  items,
  ...more,
});
const map = (v: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  additionalProperties: v,
  ...more,
});
const ruled = (s: JsonObject, ...r: string[]): JsonObject => ({
  ...s,
  'x-kubernetes-validations': r.map((rule) => ({ rule })),
});
const intOrString = (more: JsonObject = {}): JsonObject => ({
  'x-kubernetes-int-or-string': true,
  ...more,
});
const unknown = 'x-kubernetes-preserve-unknown-fields';
const listType = 'x-kubernetes-list-type';
const listKeys = 'x-kubernetes-list-map-keys';
const item = object({ k: text(), v: text() }, { required: ['k'] });
const keyed = (more: JsonObject = {}): JsonObject =>
  list(item, { [listType]: 'map', [listKeys]: ['k'], ...more });
export const harmless: readonly Row[] = [
  ['default removed from optional', object({ a: text({ default: 'x' }) }), object({ a: text() })],
  [
    'default added within enum',
    object({ a: text({ enum: ['x', 'y'] }) }),
    object({ a: text({ enum: ['x', 'y'], default: 'x' }) }),
  ],
  ['default changed', object({ a: whole({ default: 1 }) }), object({ a: whole({ default: 2 }) })],
  [
    'default for required',
    object({ a: text() }, { required: ['a'] }),
    object({ a: text({ default: 'x' }) }, { required: ['a'] }),
  ],
  [
    'new required with default',
    object({}),
    object({ a: text({ default: 'x' }) }, { required: ['a'] }),
  ],
  ['description', object({ a: text() }), object({ a: text({ description: 'd' }) })],
  [
    'title example externalDocs',
    object({ a: text() }),
    object({ a: text({ title: 'T', example: 'e' }) }),
  ],
  [
    'maximum of integers no longer exclusive',
    object({ a: whole({ maximum: 600, exclusiveMaximum: true }) }),
    object({ a: whole({ maximum: 599 }) }),
  ],
  [
    'minimum of integers exclusive from now on',
    object({ a: whole({ minimum: 1 }) }),
    object({ a: whole({ minimum: 0, exclusiveMinimum: true }) }),
  ],
  [
    'list atomic to map',
    list(item, { [listType]: 'atomic', maxItems: 1 }),
    list(item, { [listType]: 'map', [listKeys]: ['k'], maxItems: 1 }),
  ],
  [
    'list set to atomic scalars none',
    list(text(), { [listType]: 'atomic', maxItems: 1 }),
    list(text(), { [listType]: 'set', maxItems: 1 }),
  ],
  ['nullable added', object({ a: text() }), object({ a: text({ nullable: true }) })],
  ['int to intOrString', object({ a: whole() }), object({ a: intOrString() })],
  ['string to intOrString', object({ a: text() }), object({ a: intOrString() })],
  [
    'intOrString with anyOf to plain',
    object({ a: intOrString({ anyOf: [{ type: 'integer' }, { type: 'string' }] }) }),
    object({ a: intOrString() }),
  ],
  ['integer to number', object({ a: whole() }), object({ a: double() })],
  ['enum wider', object({ a: text({ enum: ['x'] }) }), object({ a: text({ enum: ['x', 'y'] }) })],
  [
    'enum reordered',
    object({ a: text({ enum: ['x', 'y'] }) }),
    object({ a: text({ enum: ['y', 'x'] }) }),
  ],
  ['enum dropped', object({ a: text({ enum: ['x'] }) }), object({ a: text() })],
  [
    'oneOf to anyOf',
    object({ a: text(), b: text() }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    object({ a: text(), b: text() }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ],
  [
    'anyOf wider',
    object({ a: text(), b: text() }, { anyOf: [{ required: ['a'] }] }),
    object({ a: text(), b: text() }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ],
  [
    'not dropped',
    object({ a: text(), b: text() }, { not: { required: ['a', 'b'] } }),
    object({ a: text(), b: text() }),
  ],
  [
    'allOf repeats',
    object({ a: whole({ maximum: 5 }) }),
    object({ a: whole({ maximum: 5, allOf: [{ maximum: 5 }] }) }),
  ],
  [
    'allOf weaker',
    object({ a: whole({ maximum: 5 }) }),
    object({ a: whole({ maximum: 5, allOf: [{ maximum: 9 }] }) }),
  ],
  [
    'pattern wider',
    object({ a: text({ pattern: '^[a-c]+$' }) }),
    object({ a: text({ pattern: '^[a-z]+$' }) }),
  ],
  [
    'pattern equal otherwise',
    object({ a: text({ pattern: '^[0-9]+$' }) }),
    object({ a: text({ pattern: '^\\d+$' }) }),
  ],
  [
    'pattern from length',
    object({ a: text({ minLength: 1 }) }),
    object({ a: text({ pattern: '^[\\s\\S]+$', minLength: 1 }) }),
  ],
  [
    'minLength from pattern',
    object({ a: text({ pattern: '^[a-z]{3}$' }) }),
    object({ a: text({ pattern: '^[a-z]{3}$', minLength: 3 }) }),
  ],
  [
    'maxLength from enum',
    object({ a: text({ enum: ['ab'] }) }),
    object({ a: text({ enum: ['ab'], maxLength: 2 }) }),
  ],
  ['format of unknown name', object({ a: text() }), object({ a: text({ format: 'whatever' }) })],
  [
    'int32 format',
    object({ a: whole({ minimum: 0, maximum: 10 }) }),
    object({ a: whole({ minimum: 0, maximum: 10, format: 'int32' }) }),
  ],
  ['new optional field', object({ a: text() }), object({ a: text(), b: object({ c: text() }) })],
  ['required dropped', object({ a: text() }, { required: ['a'] }), object({ a: text() })],
  ['map to preserve', map(text()), { type: 'object', [unknown]: true }],
  ['preserve added', object({ a: text() }), object({ a: text() }, { [unknown]: true })],
  ['maxItems relaxed', list(text(), { maxItems: 3 }), list(text(), { maxItems: 5 })],
  ['minItems from required count', list(text(), { minItems: 2 }), list(text(), { minItems: 1 })],
  [
    'maxProperties where fixed',
    object({ a: text(), b: text() }),
    object({ a: text(), b: text() }, { maxProperties: 2 }),
  ],
  [
    'minProperties where required',
    object({ a: text() }, { required: ['a'] }),
    object({ a: text() }, { required: ['a'], minProperties: 1 }),
  ],
  ['uniqueItems false', list(text()), list(text(), { uniqueItems: false })],
  ['rule dropped', ruled(object({ a: whole() }), 'has(self.a)'), object({ a: whole() })],
  [
    'rule message',
    { ...object({ a: whole() }), 'x-kubernetes-validations': [{ rule: 'has(self.a)' }] },
    {
      ...object({ a: whole() }),
      'x-kubernetes-validations': [{ rule: 'has(self.a)', message: 'm', fieldPath: '.a' }],
    },
  ],
  [
    'nullable and default',
    object({ a: text({ nullable: true }) }),
    object({ a: text({ nullable: true, default: null }) }),
  ],
  [
    'multipleOf of factor',
    object({ a: whole({ multipleOf: 6 }) }),
    object({ a: whole({ multipleOf: 3 }) }),
  ],
  [
    'multipleOf from enum',
    object({ a: whole({ enum: [2, 4] }) }),
    object({ a: whole({ enum: [2, 4], multipleOf: 2 }) }),
  ],
  [
    'exclusive by one',
    object({ a: whole({ minimum: 1 }) }),
    object({ a: whole({ minimum: 0, exclusiveMinimum: true }) }),
  ],
  ['map type granular', map(text()), map(text(), { 'x-kubernetes-map-type': 'granular' })],
  [
    'embedded subset',
    object({ a: object({ x: text() }) }),
    object({ a: object({ x: text(), y: text() }) }),
  ],
];
export const harmful: readonly Row[] = [
  ['field gone', object({ a: text(), b: text() }), object({ a: text() })],
  ['renamed', object({ a: text() }), object({ b: text() })],
  ['required', object({ a: text() }), object({ a: text() }, { required: ['a'] })],
  ['type', object({ a: text() }), object({ a: whole() })],
  ['ios to int', object({ a: intOrString() }), object({ a: whole() })],
  ['number to int', object({ a: double() }), object({ a: whole() })],
  [
    'nullable gone',
    object({ a: text({ nullable: true }) }, { required: ['a'] }),
    object({ a: text() }, { required: ['a'] }),
  ],
  ['enum', object({ a: text({ enum: ['x', 'y'] }) }), object({ a: text({ enum: ['x'] }) })],
  ['enum new', object({ a: text() }), object({ a: text({ enum: ['x'] }) })],
  [
    'pattern',
    object({ a: text({ pattern: '^[a-z]+$' }) }),
    object({ a: text({ pattern: '^[a-y]+$' }) }),
  ],
  ['pattern anch', object({ a: text({ pattern: 'a' }) }), object({ a: text({ pattern: '^a' }) })],
  ['maxLength', object({ a: text({ maxLength: 9 }) }), object({ a: text({ maxLength: 8 }) })],
  ['minLength', object({ a: text() }), object({ a: text({ minLength: 1 }) })],
  ['format', object({ a: text() }), object({ a: text({ format: 'ipv4' }) })],
  ['maximum', object({ a: whole({ maximum: 9 }) }), object({ a: whole({ maximum: 8 }) })],
  [
    'exclusive maximum of numbers',
    object({ a: double({ maximum: 600, exclusiveMaximum: true }) }),
    object({ a: double({ maximum: 599 }) }),
  ],
  [
    'exclusive maximum of integers',
    object({ a: whole({ maximum: 600, exclusiveMaximum: true }) }),
    object({ a: whole({ maximum: 598 }) }),
  ],
  [
    'excl',
    object({ a: whole({ maximum: 9 }) }),
    object({ a: whole({ maximum: 9, exclusiveMaximum: true }) }),
  ],
  [
    'number excl',
    object({ a: double({ minimum: 0 }) }),
    object({ a: double({ minimum: 0, exclusiveMinimum: true }) }),
  ],
  ['multipleOf', object({ a: whole({ multipleOf: 3 }) }), object({ a: whole({ multipleOf: 6 }) })],
  ['maxItems', list(text()), list(text(), { maxItems: 5 })],
  ['minItems', list(text()), list(text(), { minItems: 1 })],
  ['unique set', list(text()), list(text(), { [listType]: 'set' })],
  ['map list', list(item), keyed()],
  ['maxProps', map(text()), map(text(), { maxProperties: 2 })],
  ['minProps', map(text()), map(text(), { minProperties: 1 })],
  ['AP to props', map(text()), object({ a: text() })],
  ['preserve gone', object({ a: text() }, { [unknown]: true }), object({ a: text() })],
  [
    'oneOf new',
    object({ a: text(), b: text() }),
    object({ a: text(), b: text() }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ],
  [
    'anyOf to oneOf',
    object({ a: text(), b: text() }, { anyOf: [{ required: ['a'] }, { required: ['b'] }] }),
    object({ a: text(), b: text() }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  ],
  [
    'not new',
    object({ a: text(), b: text() }),
    object({ a: text(), b: text() }, { not: { required: ['a', 'b'] } }),
  ],
  ['allOf', object({ a: whole() }), object({ a: whole({ allOf: [{ maximum: 5 }] }) })],
  [
    'rule sum',
    object({ a: whole({ minimum: 0, maximum: 10 }), b: whole({ minimum: 0, maximum: 10 }) }),
    ruled(
      object({ a: whole({ minimum: 0, maximum: 10 }), b: whole({ minimum: 0, maximum: 10 }) }),
      '!has(self.a) || !has(self.b) || self.a + self.b <= 19',
    ),
    { a: 10, b: 10 },
  ],
  [
    'rule double',
    object({ f: double({ minimum: 0.5 }) }),
    ruled(object({ f: double({ minimum: 0.5 }) }), '!has(self.f) || self.f >= 0.5'),
  ],
  [
    'rule double 2',
    object({ f: double({ maximum: 1 }) }),
    ruled(object({ f: double({ maximum: 1 }) }), '!has(self.f) || self.f < 1.0'),
  ],
  [
    'rule map',
    map(text({ minLength: 1 }), { maxProperties: 4 }),
    ruled(map(text({ minLength: 1 }), { maxProperties: 4 }), "self.all(k, self[k] != 'x')"),
  ],
  [
    'rule map key',
    map(text(), { maxProperties: 4 }),
    ruled(map(text(), { maxProperties: 4 }), "self.all(k, k != 'x')"),
  ],
  [
    'rule uniq on atomic',
    list(text({ maxLength: 9 }), { maxItems: 5 }),
    ruled(list(text({ maxLength: 9 }), { maxItems: 5 }), 'self.all(x, self.exists_one(y, x == y))'),
  ],
  [
    'rule uniq other key',
    keyed({ maxItems: 5 }),
    ruled(keyed({ maxItems: 5 }), 'self.all(x, self.exists_one(y, has(x.v) == has(y.v)))'),
  ],
  [
    'overflow',
    object({ a: whole(), b: whole() }),
    ruled(object({ a: whole(), b: whole() }), '!has(self.a) || self.a + 1 > self.a'),
    { a: new NumberText('9223372036854775807') },
  ],
  [
    'overflow2',
    ruled(object({ a: whole(), b: whole() }), '!has(self.a)||!has(self.b)||self.a < self.b'),
    ruled(object({ a: whole(), b: whole() }), '!has(self.a)||!has(self.b)||self.a - self.b < 0'),
    { a: new NumberText('-9223372036854775808'), b: 1 },
  ],
  ['immut', object({ a: text() }), ruled(object({ a: text() }), '!has(oldSelf.a) || has(self.a)')],
  [
    'exists weaker other',
    ruled(list(text({ maxLength: 9 }), { maxItems: 5 }), "!self.exists(x, x == 'a')"),
    ruled(list(text({ maxLength: 9 }), { maxItems: 5 }), "!self.exists(x, x == 'b')"),
  ],
  [
    'lifted but default',
    ruled(object({ a: whole() }), '!has(self.a) || self.a <= 5'),
    ruled(object({ a: whole({ default: 9 }) }), '!has(self.a) || self.a <= 5'),
  ],
  [
    'lifted stronger',
    ruled(object({ a: whole() }), '!has(self.a) || self.a <= 5'),
    ruled(object({ a: ruled(whole(), 'self <= 4') }), '!has(self.a) || self.a <= 5'),
  ],
  [
    'lifted conditional',
    ruled(object({ a: whole(), b: text() }), '!has(self.b) || !has(self.a) || self.a <= 5'),
    object({ a: whole({ maximum: 5 }), b: text() }),
  ],
  [
    'items conditional',
    ruled(list(text({ maxLength: 9 }), { maxItems: 5 }), "self.size() < 2 || self.all(x, x != '')"),
    list(text({ minLength: 1, maxLength: 9 }), { maxItems: 5 }),
  ],
  [
    'a rule of some item becomes one of each',
    ruled(list(text({ maxLength: 9 }), { maxItems: 5 }), "self.exists(x, x != '')"),
    list(ruled(text({ maxLength: 9 }), "self != ''"), { maxItems: 5 }),
  ],
  [
    'a rule of keys becomes one of values',
    ruled(map(text({ maxLength: 9 }), { maxProperties: 5 }), "self.all(k, k != '')"),
    map(text({ maxLength: 9, minLength: 1 }), { maxProperties: 5 }),
  ],
  [
    'a rule of one list is said of the items of another',
    ruled(
      object({
        l: list(text({ maxLength: 9 }), { maxItems: 5 }),
        k: list(text({ maxLength: 9 }), { maxItems: 5 }),
      }),
      "!has(self.k) || self.k.all(x, x != '')",
    ),
    object({
      l: list(ruled(text({ maxLength: 9 }), "self != ''"), { maxItems: 5 }),
      k: list(text({ maxLength: 9 }), { maxItems: 5 }),
    }),
  ],
  [
    'a rule that does not see a null item any more',
    ruled(object({ a: text({ nullable: true }) }), "!has(self.a) || self.a != ''"),
    object({ a: text({ minLength: 2, nullable: true }) }),
  ],
];
