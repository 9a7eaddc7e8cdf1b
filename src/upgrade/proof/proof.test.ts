import { expect } from 'chai';
import type { JsonObject } from '../../text/documents/index.js';
import type { Effect } from '../../rule/finding.js';
import { exampleDefinition, exampleOfSpec } from '../rules/crd/example-definition.js';
import { compileValidator } from '../../kubernetes/apiserver/validator.js';
import { proveDocuments } from './testing/prove-documents.js';

type Schema = Record<string, unknown>;

const definition = (spec: Schema): JsonObject => exampleOfSpec(spec as JsonObject);

const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const field = (schema: Schema): Schema => object({ f: schema });
const string = { type: 'string' };
const integer = { type: 'integer' };

const setOf = (properties: Schema): Schema => ({
  type: 'array',
  items: object(properties, { 'x-kubernetes-map-type': 'atomic' }),
  'x-kubernetes-list-type': 'set',
});
const listOfKeys = (properties: Schema): Schema => ({
  type: 'array',
  items: object(properties, { required: ['name'] }),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name', 'protocol'],
});

/** Many fields, each another than before: small objects, large ones, and long searches for strings. */
function hugePairs(count: number): { name: string; old: Schema; next: Schema }[] {
  const names = Array.from({ length: count }, (_, index) => `f${index}`);
  const wide = (schema: Schema, more: Schema = {}): Schema =>
    object(Object.fromEntries(names.map((name) => [name, schema])), more);
  const all = { required: names };
  const long = { ...string, pattern: '^[a-z]([-a-z0-9]{0,40}[a-z0-9])?$' };
  return [
    { name: 'optional fields', old: wide(string), next: wide({ ...string, maxLength: 5 }) },
    { name: 'fields that go', old: wide(string), next: object({}) },
    { name: 'required fields', old: wide(string, all), next: wide(integer, all) },
    {
      name: 'defaults',
      old: wide({ ...string, default: 'a' }),
      next: wide({ ...string, default: 'a', maxLength: 5 }),
    },
    {
      name: 'patterns',
      old: wide(long),
      next: wide({ ...long, pattern: '^[a-z][a-z0-9]{0,20}$' }),
    },
    {
      name: 'required objects',
      old: wide(object({ a: string }, { required: ['a'] }), all),
      next: wide(object({ a: integer }, { required: ['a'] }), all),
    },
  ];
}

describe('containment: proof', () => {
  const rows: [rule: string, old: Schema, next: Schema, effect: Effect, reason: string][] = [
    ['nothing changed', field(string), field(string), 'safe', ''],
    [
      'description',
      field(string),
      field({ ...string, description: 'new' }),
      'safe',
      'description only',
    ],
    [
      'a listed value and another description',
      field({ ...string, enum: ['a'] }),
      field({ ...string, enum: ['a', 'b'], description: 'new' }),
      'safe',
      'the description is another one, too',
    ],
    [
      'a bound in allOf of what is around',
      field(integer),
      object({ f: integer }, { allOf: [{ properties: { f: { maximum: 3 } } }] }),
      'breaking',
      'allOf is new; spec.f: spec.f in body should be less than or equal to 3',
    ],
    ['optional field added', object({}), field(string), 'safe', 'an optional field is added'],
    [
      'a length that every value of the format has',
      field({ ...string, format: 'byte' }),
      field({ ...string, format: 'byte', minLength: 1 }),
      'safe',
      'minLength already follows from the format',
    ],
    [
      'a length that every accepted value has',
      field({ ...string, not: { maxLength: 0 } }),
      field({ ...string, not: { maxLength: 0 }, minLength: 1 }),
      'safe',
      'minLength already follows from what is accepted there',
    ],
    [
      'a length that some value of the format has not',
      field({ ...string, format: 'password' }),
      field({ ...string, format: 'password', minLength: 1 }),
      'breaking',
      'minLength is new: 1',
    ],
    [
      'a limit of 2000 items',
      field({ type: 'array', items: string }),
      field({ type: 'array', items: string, maxItems: 2000 }),
      'breaking',
      'Too many',
    ],
    ['field removed', field(string), object({}), 'data-loss', 'values lost: .spec.f'],
    [
      'required added',
      field(string),
      object({ f: string }, { required: ['f'] }),
      'breaking',
      'spec.f: Required value',
    ],
    [
      'required and new',
      object({}),
      object({ f: string }, { required: ['f'] }),
      'breaking',
      'spec.f: Required value',
    ],
    [
      'required with default',
      object({}),
      object({ f: { ...string, default: 'a' } }, { required: ['f'] }),
      'behavior',
      'set by default',
    ],
    [
      'no longer required',
      object({ f: string }, { required: ['f'] }),
      field(string),
      'safe',
      'no longer required',
    ],
    [
      'type changed',
      field(string),
      field(integer),
      'breaking',
      'the type changes from string to integer',
    ],
    ['integer to number', field(integer), field({ type: 'number' }), 'safe', 'the type is wider'],
    [
      'number to integer',
      field({ type: 'number' }),
      field(integer),
      'breaking',
      'the type changes from number to integer',
    ],
    [
      'integer to int-or-string',
      field(integer),
      field({ 'x-kubernetes-int-or-string': true }),
      'safe',
      'the type is wider',
    ],
    [
      'enum new',
      field(string),
      field({ ...string, enum: ['a'] }),
      'breaking',
      'only listed values',
    ],
    [
      'enum value removed',
      field({ ...string, enum: ['a', 'b'] }),
      field({ ...string, enum: ['a'] }),
      'breaking',
      'no longer allowed: "b"',
    ],
    [
      'enum value added',
      field({ ...string, enum: ['a'] }),
      field({ ...string, enum: ['a', 'b'] }),
      'safe',
      'values are added',
    ],
    [
      'enum of every boolean',
      field({ type: 'boolean' }),
      field({ type: 'boolean', enum: [true, false] }),
      'safe',
      '',
    ],
    [
      'minimum raised',
      field({ ...integer, minimum: 1 }),
      field({ ...integer, minimum: 2 }),
      'breaking',
      'the minimum is tightened: 2',
    ],
    [
      'minimum lowered',
      field({ ...integer, minimum: 2 }),
      field({ ...integer, minimum: 1 }),
      'safe',
      'the minimum is relaxed',
    ],
    [
      'maxLength that the pattern implies',
      field({ ...string, pattern: '^[a-z]{1,5}$' }),
      field({ ...string, pattern: '^[a-z]{1,5}$', maxLength: 5 }),
      'safe',
      'already follows from the pattern',
    ],
    [
      'maxLength below the pattern',
      field({ ...string, pattern: '^[a-z]{1,5}$' }),
      field({ ...string, pattern: '^[a-z]{1,5}$', maxLength: 4 }),
      'breaking',
      'maxLength is new: 4',
    ],
    [
      'pattern wider',
      field({ ...string, pattern: '^v[0-9]$' }),
      field({ ...string, pattern: '^v[0-9]+$' }),
      'safe',
      'matches everything that was allowed',
    ],
    [
      'pattern narrower',
      field({ ...string, pattern: '^v[0-9]+$' }),
      field({ ...string, pattern: '^v[0-9]$' }),
      'breaking',
      'the pattern changes',
    ],
    [
      'format that nobody enforces',
      field(integer),
      field({ ...integer, format: 'int16' }),
      'safe',
      'does not enforce',
    ],
    [
      'format that only later servers enforce',
      field(integer),
      field({ ...integer, format: 'int32' }),
      'behavior',
      'from 1.36 on',
    ],
    [
      'format',
      field(string),
      field({ ...string, format: 'date-time' }),
      'breaking',
      'the format date-time is new',
    ],
    [
      'null no longer allowed',
      field({ ...string, nullable: true }),
      field(string),
      'behavior',
      'null is no longer allowed',
    ],
    [
      'null under a key of a map, which takes the key along',
      field({ type: 'object', additionalProperties: { ...string, nullable: true } }),
      field({ type: 'object', additionalProperties: string }),
      'data-loss',
      'null is no longer allowed; values lost: .spec.f.key',
    ],
    [
      'null under a key of a map that a default replaces',
      field({ type: 'object', additionalProperties: { ...string, nullable: true } }),
      field({ type: 'object', additionalProperties: { ...string, default: 'a' } }),
      'behavior',
      'null is no longer allowed',
    ],
    [
      'null under a key of a map that is a declared field now',
      field({ type: 'object', additionalProperties: { ...string, nullable: true } }),
      field({
        type: 'object',
        properties: { key: string },
        'x-kubernetes-preserve-unknown-fields': true,
      }),
      'data-loss',
      'null is no longer allowed; values lost: .spec.f.key',
    ],
    [
      'null that is required',
      object({ f: { ...string, nullable: true } }, { required: ['f'] }),
      object({ f: string }, { required: ['f'] }),
      'breaking',
      'null is no longer allowed',
    ],
    [
      'null that a default replaced, beside listed values',
      field({ ...integer, enum: [1, 5], default: 5 }),
      field({ ...integer, enum: [1, 5], default: 5, nullable: true }),
      'breaking',
      'null stays null from now on',
    ],
    [
      'null that a default replaced',
      field({ ...integer, default: 5 }),
      field({ ...integer, default: 5, nullable: true }),
      'behavior',
      'null stays null from now on',
    ],
    [
      'null that counts where a default did',
      object(
        { f: { ...integer, default: 5 } },
        { not: object({ f: { nullable: true, enum: [1] } }) },
      ),
      object(
        { f: { ...integer, default: 5, nullable: true } },
        { not: object({ f: { nullable: true, maximum: 3 } }) },
      ),
      'breaking',
      'not forbids other values',
    ],
    [
      'rule about a field that rules cannot see',
      field({ 'x-kubernetes-preserve-unknown-fields': true }),
      object(
        { f: { 'x-kubernetes-preserve-unknown-fields': true } },
        { 'x-kubernetes-validations': [{ rule: 'has(self.f) || !has(self.f)' }] },
      ),
      'breaking',
      "undefined field 'f'",
    ],
    [
      'null that is required and that rules take for absent',
      object({ f: { ...string, nullable: true } }, { required: ['f'] }),
      object(
        { f: { ...string, nullable: true } },
        { required: ['f'], 'x-kubernetes-validations': [{ rule: 'has(self.f)' }] },
      ),
      'breaking',
      'failed rule: has(self.f)',
    ],
    [
      'the same rule over a number that is no integer any more',
      field({ ...integer, 'x-kubernetes-validations': [{ rule: 'self % 2 == 0' }] }),
      field({ type: 'number', 'x-kubernetes-validations': [{ rule: 'self % 2 == 0' }] }),
      'breaking',
      'no matching overload',
    ],
    [
      'the same operator over a number that is no integer any more',
      object({ f: integer }, { anyOf: [object({ f: { minimum: 2 } }), { maxProperties: 0 }] }),
      object(
        { f: { type: 'number' } },
        { anyOf: [object({ f: { minimum: 2 } }), { maxProperties: 0 }] },
      ),
      'safe',
      'the type is wider',
    ],
    [
      'a default that is refused by what it is filled with',
      field(object({ g: { ...integer, multipleOf: 0.5, default: 1 } })),
      field({ ...object({ g: { ...integer, multipleOf: 0.5, default: 1 } }), default: {} }),
      'breaking',
      'and the schema refuses it',
    ],
    [
      'listed numbers, whose fractions pass too',
      field({ type: 'number', enum: [0, 2] }),
      field({ type: 'number', enum: [0, 2], multipleOf: 1 }),
      'breaking',
      'numbers must be multiples of 1',
    ],
    [
      'listed numbers, and more of them',
      field({ type: 'number', enum: [0, 2] }),
      field({ type: 'number', enum: [0, 2, 4] }),
      'safe',
      'values are added to the list',
    ],
    [
      'listed numbers, and fewer of them',
      field({ type: 'number', enum: [0, 2] }),
      field({ type: 'number', enum: [0] }),
      'breaking',
      'only listed values',
    ],
    [
      'a format without a type beneath an operator',
      field(integer),
      field({ ...integer, anyOf: [{ format: 'date-time' }, { minimum: 5 }] }),
      'breaking',
      'anyOf is new',
    ],
    [
      'a set',
      field({ type: 'array', items: string }),
      field({ type: 'array', items: string, 'x-kubernetes-list-type': 'set' }),
      'breaking',
      'Duplicate value',
    ],
    [
      'atomic by name',
      field({ type: 'array', items: string }),
      field({ type: 'array', items: string, 'x-kubernetes-list-type': 'atomic' }),
      'safe',
      'atomic is the default',
    ],
    [
      'maxItems',
      field({ type: 'array', items: string }),
      field({ type: 'array', items: string, maxItems: 2 }),
      'breaking',
      'maxItems is new: 2',
    ],
    [
      'preserved values typed',
      object({}, { 'x-kubernetes-preserve-unknown-fields': true }),
      object({ f: integer }, { 'x-kubernetes-preserve-unknown-fields': true }),
      'breaking',
      'the type changes from any to integer',
    ],
    [
      'preserved values pruned',
      object({}, { 'x-kubernetes-preserve-unknown-fields': true }),
      object({}),
      'data-loss',
      'no longer kept',
    ],
    [
      'map values narrower',
      { type: 'object', additionalProperties: string },
      { type: 'object', additionalProperties: { ...string, maxLength: 3 } },
      'breaking',
      'maxLength is new: 3',
    ],
    [
      'default added',
      field(string),
      field({ ...string, default: 'a' }),
      'behavior',
      'a default is set',
    ],
    [
      'default gone of null items',
      field({ type: 'array', items: { ...string, default: 'a' } }),
      field({ type: 'array', items: string }),
      'breaking',
      'the default is gone that took the place of null items',
    ],
    [
      'default gone beside required',
      object({ f: { ...string, default: 'a' } }, { required: ['f'] }),
      object({ f: string }, { required: ['f'] }),
      'breaking',
      'spec.f: Required value',
    ],
    [
      'minProperties met by required',
      object({ f: string }, { required: ['f'] }),
      object({ f: string }, { required: ['f'], minProperties: 1 }),
      'safe',
      'minProperties is relaxed',
    ],
    [
      'minProperties met by a default',
      object({ f: { ...string, default: 'a' } }, { required: ['f'] }),
      object({ f: { ...string, default: 'a' } }, { required: ['f'], minProperties: 1 }),
      'safe',
      'minProperties is relaxed',
    ],
    [
      'minProperties in place of a required default',
      object({ f: { ...string, default: 'a' }, g: string }, { required: ['f'] }),
      object({ f: string, g: string }, { minProperties: 1 }),
      'breaking',
      'minProperties is new: 1',
    ],
    [
      'minProperties without the default that met it',
      object({ f: { ...string, default: 'a' }, g: string }, { required: ['f'], minProperties: 1 }),
      object({ f: string, g: string }, { minProperties: 1 }),
      'breaking',
      'minProperties counts fields that defaults add',
    ],
    [
      'a format gone, with which lists passed',
      field({ ...string, format: 'date-time' }),
      field(string),
      'breaking',
      'the format is gone, which let values of type array pass too',
    ],
    [
      'a format gone from numbers or texts, which let no lists pass',
      field({ 'x-kubernetes-int-or-string': true, format: 'date-time' }),
      field({ 'x-kubernetes-int-or-string': true }),
      'safe',
      'the format is gone',
    ],
    [
      'a format gone that nobody enforced',
      field({ ...string, format: 'int16' }),
      field(string),
      'safe',
      'the format is gone',
    ],
    [
      'lists that only a format lets pass',
      field({ type: 'array', items: string }),
      field({ ...string, format: 'date-time' }),
      'undecided',
      'stored lists stay valid only while it has format date-time',
    ],
    [
      'anyOf with more branches',
      object({ f: string, g: string }, { anyOf: [{ required: ['f'] }] }),
      object({ f: string, g: string }, { anyOf: [{ required: ['f'] }, { required: ['g'] }] }),
      'safe',
      'anyOf accepts everything',
    ],
    [
      'anyOf with fewer branches',
      object({ f: string, g: string }, { anyOf: [{ required: ['f'] }, { required: ['g'] }] }),
      object({ f: string, g: string }, { anyOf: [{ required: ['f'] }] }),
      'breaking',
      'anyOf is another one',
    ],
    [
      'oneOf loosened so that two match',
      object({ f: string, g: string }, { oneOf: [{ required: ['f'] }, { required: ['g'] }] }),
      object({ f: string, g: string }, { oneOf: [{ required: ['f'] }, {}] }),
      'breaking',
      'oneOf is another one',
    ],
    [
      'not',
      field(string),
      object({ f: string }, { not: { required: ['f'] } }),
      'breaking',
      'not forbids other values',
    ],
    [
      'rule gone',
      object({ f: integer }, { 'x-kubernetes-validations': [{ rule: 'self.f > 1' }] }),
      field(integer),
      'safe',
      'a validation rule is gone',
    ],
    [
      'rule new',
      field(integer),
      object(
        { f: integer },
        { 'x-kubernetes-validations': [{ rule: '!has(self.f) || self.f > 1' }] },
      ),
      'breaking',
      'a validation rule is new',
    ],
    [
      'rule that required fields satisfy',
      object({ f: string }, { required: ['f'] }),
      object(
        { f: string },
        { required: ['f'], 'x-kubernetes-validations': [{ rule: 'has(self.f)' }] },
      ),
      'safe',
      'always holds',
    ],
    [
      'transition rule',
      field(string),
      field({ ...string, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }),
      'breaking',
      'an update is refused',
    ],
    [
      'items of a set that a default makes equal',
      field(setOf({ a: integer, b: integer })),
      field(setOf({ a: integer, b: { ...integer, default: 5 } })),
      'breaking',
      'Duplicate value',
    ],
    [
      'items of a set that a dropped null makes equal',
      field(setOf({ a: integer, b: { ...integer, nullable: true } })),
      field(setOf({ a: integer, b: integer })),
      'breaking',
      'Duplicate value',
    ],
    [
      'keys that another default makes equal',
      field(listOfKeys({ name: string, protocol: { ...string, default: 'TCP' } })),
      field(listOfKeys({ name: string, protocol: { ...string, default: 'UDP' } })),
      'breaking',
      'Duplicate value',
    ],
    [
      'a default beside the keys',
      field(listOfKeys({ name: string, protocol: { ...string, default: 'TCP' }, a: string })),
      field(
        listOfKeys({
          name: string,
          protocol: { ...string, default: 'TCP' },
          a: { ...string, default: 'a' },
        }),
      ),
      'behavior',
      'a default is set where there was none',
    ],
    [
      'a listed object that a default makes another one',
      field(object({ a: integer, b: integer }, { enum: [{ a: 1 }, { a: 1, b: 2 }] })),
      field(
        object({ a: integer, b: { ...integer, default: 5 } }, { enum: [{ a: 1 }, { a: 1, b: 2 }] }),
      ),
      'breaking',
      'Unsupported value',
    ],
    [
      'a listed list whose items a default makes others',
      field({ type: 'array', items: object({ a: integer, b: integer }), enum: [[{ a: 1 }]] }),
      field({
        type: 'array',
        items: object({ a: integer, b: { ...integer, default: 5 } }),
        enum: [[{ a: 1 }]],
      }),
      'breaking',
      'Unsupported value',
    ],
    [
      'the same rule over a pruned field',
      object(
        { f: string, g: string },
        { 'x-kubernetes-validations': [{ rule: 'has(self.f) || has(self.g)' }] },
      ),
      object(
        { g: string },
        { 'x-kubernetes-validations': [{ rule: 'has(self.f) || has(self.g)' }] },
      ),
      'breaking',
      'vanish',
    ],
  ];
  for (const [rule, old, next, effect, reason] of rows) {
    it(`${rule}: ${effect}`, () => {
      const judgement = proveDocuments(definition(old), definition(next));
      expect(judgement.effect, JSON.stringify(judgement.results)).to.equal(effect);
      expect(judgement.allowed).to.equal(effect !== 'breaking' && effect !== 'data-loss');
      const said = judgement.results.map((result) => result.reason).join('\n');
      if (rule !== 'the same rule over a pruned field') expect(said).to.include(reason);
      for (const { effect: each, witness } of judgement.results) {
        if (each !== 'breaking' || witness === undefined || rule === 'transition rule') continue;
        expect(compileValidator(definition(old), 'v1').validateCreate(witness).valid).to.equal(
          true,
        );
        expect(compileValidator(definition(next), 'v1').validateCreate(witness).valid).to.equal(
          false,
        );
      }
    });
  }

  it('has no results for equal definitions', () => {
    expect(
      proveDocuments(definition(field(string)), definition(field(string))).results,
    ).to.deep.equal([]);
  });

  it('shows the smallest witness it finds', () => {
    const old = object({ f: string, g: string, h: object({ i: string }) });
    const next = object({ f: { ...string, maxLength: 1 }, g: string, h: object({ i: string }) });
    const [result] = proveDocuments(definition(old), definition(next)).results;
    expect(result?.witness).to.deep.equal({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'example', namespace: 'default' },
      spec: { f: 'aa' },
    });
  });

  it('keeps in the witness what the difference is about, though less would break too', () => {
    const reference = (kind: Schema): Schema => object({ kind, name: string });
    const { results } = proveDocuments(
      definition(object({ ref: reference(string) })),
      definition(object({ ref: { ...reference({ ...string, enum: ['A'] }), minProperties: 1 } })),
    );
    const kind = results.find(({ path }) => path === '^.spec.ref.kind');
    expect(kind?.witness).to.have.nested.property('spec.ref.kind');
    expect(kind?.reason).to.include('spec.ref.kind: Unsupported value');
  });

  it('shows for each of several bounds of a text one that it refuses', () => {
    const { results } = proveDocuments(
      definition(field(string)),
      definition(field({ ...string, minLength: 1, maxLength: 5, pattern: '^[a-z]+$' })),
    );
    const reasons = results.map(({ reason }) => reason).join('\n');
    expect(reasons).to.match(/minLength is new: 1; .* at least 1 chars long/);
    expect(reasons).to.match(/maxLength is new: 5; .* Too long/);
    expect(reasons).to.match(/a pattern is new: .*; .* should match/);
  });

  it('knows that fields which nobody declared are lost with spec.preserveUnknownFields', () => {
    const preserving = (flag: boolean): JsonObject => {
      const made = definition(field(string));
      return { ...made, spec: { ...(made['spec'] as JsonObject), preserveUnknownFields: flag } };
    };
    const { effect, results } = proveDocuments(preserving(true), preserving(false));
    expect(effect).to.equal('data-loss');
    expect(results[0]?.reason).to.include('values lost: .undeclared');
    expect(results[0]?.witness).to.include({ undeclared: 'example' });
    expect(proveDocuments(preserving(false), preserving(true)).effect).to.equal('safe');
    const more = { ...preserving(false), spec: definition(field(integer))['spec'] } as JsonObject;
    expect(
      proveDocuments(preserving(true), more).results.map(({ path, effect: each }) => [path, each]),
    ).to.deep.equal([
      ['^.spec.f', 'breaking'],
      ['^', 'data-loss'],
    ]);
  });

  it('knows what is kept beside declared fields by a list, and by spec.preserveUnknownFields', () => {
    const items = (...keywords: JsonObject[]): JsonObject => {
      const item = Object.assign({ type: 'object' }, ...keywords) as JsonObject;
      return { type: 'array', 'x-kubernetes-preserve-unknown-fields': true, items: item };
    };
    const typed = { properties: { size: integer } };
    const effectOf = (old: JsonObject, next: JsonObject): string =>
      proveDocuments(old, next).effect;
    const inList = (schema: JsonObject): JsonObject => definition(field(schema));
    expect(effectOf(inList(items()), inList(items(typed)))).to.equal('breaking');
    expect(effectOf(inList(items(typed)), inList(items(typed, { maxProperties: 1 })))).to.equal(
      'breaking',
    );
    const plain = { type: 'array', items: string };
    const kept = { ...plain, 'x-kubernetes-preserve-unknown-fields': true };
    expect(effectOf(inList(kept), inList(plain))).to.equal('safe');

    const preserving = (properties: JsonObject): JsonObject => {
      const made = definition({ type: 'object', properties });
      return { ...made, spec: { ...(made['spec'] as JsonObject), preserveUnknownFields: true } };
    };
    const [without, having] = [preserving({ f: string }), preserving({ f: string, g: integer })];
    expect(effectOf(without, having)).to.equal('breaking');
    expect(effectOf(having, without)).to.equal('safe');
  });

  it('reads objects of an old stored version as the new storage version', () => {
    const old = definition(field(string));
    const next = definition(field(integer));
    const [version] = (next['spec'] as { versions: JsonObject[] }).versions;
    const kept = (definition(field(string))['spec'] as { versions: JsonObject[] })
      .versions[0] as JsonObject;
    const both = {
      ...next,
      spec: {
        ...(next['spec'] as JsonObject),
        versions: [
          { ...kept, storage: false },
          { ...version, name: 'v2' },
        ],
      },
    } as JsonObject;
    const broken = proveDocuments(old, both).results.find(({ effect }) => effect === 'breaking');
    expect(broken).to.include({ version: 'v2', from: 'v1', path: '^.spec.f' });
    const webhook = {
      ...both,
      spec: { ...(both['spec'] as JsonObject), conversion: { strategy: 'Webhook' } },
    } as JsonObject;
    const unsure = proveDocuments(old, webhook).results.find(({ from }) => from === 'v1');
    expect(unsure?.effect).to.equal('undecided');
    expect(unsure?.reason).to.include('converted by a webhook');
  });

  it('takes a rule in other quotes for the same rule', () => {
    const rule = (text: string): Schema =>
      field({ ...string, 'x-kubernetes-validations': [{ rule: text }] });
    const [old, next] = [rule("!self.contains('*')"), rule('!self.contains("*")')];
    const { results } = proveDocuments(definition(old), definition(next));
    expect(results.filter(({ effect }) => effect !== 'safe')).to.deep.equal([]);
  });

  it('proves changes of a definition whose objects all have one name', () => {
    const rule = { 'x-kubernetes-validations': [{ rule: "self.metadata.name == 'cluster'" }] };
    const singleton = (schema: Schema): JsonObject =>
      exampleDefinition(object({ spec: schema }, rule) as JsonObject);
    const effects = (old: Schema, next: Schema): (string | undefined)[] =>
      proveDocuments(singleton(old), singleton(next)).results.map(
        ({ path, effect }) => `${path} ${effect}`,
      );
    const [one, other] = ['a', 'b'].map((value) => field({ ...string, default: value }));
    expect(effects(one as Schema, other as Schema)).to.deep.equal(['^.spec.f behavior']);
    expect(effects(field(string), object({}))).to.deep.equal(['^.spec.f data-loss']);
  });

  it('knows that every object has what Kubernetes gives it', () => {
    const whole = (more: Schema): JsonObject =>
      exampleDefinition(object({ metadata: object({}), spec: field(string) }, more) as JsonObject);
    const { results } = proveDocuments(whole({}), whole({ required: ['metadata', 'kind'] }));
    expect(results.map(({ path, effect }) => [path, effect])).to.deep.equal([
      ['^.metadata', 'safe'],
      ['^.kind', 'safe'],
    ]);
  });

  describe('looks at what every resource has, whether its schema names it', () => {
    const whole = (more: Schema): Schema => object({ spec: field(string), ...more });
    const ofName = (schema: Schema): Schema => ({ metadata: object({ name: schema }) });
    const nested = (properties: Schema, more: Schema = {}): Schema =>
      object({
        spec: field({
          ...object({ a: string, ...properties }, more),
          'x-kubernetes-embedded-resource': true,
        }),
      });
    const nobody = { ...string, enum: ['Nobody'] };
    const short = { ...string, maxLength: 3 };
    const fewer = (schema: Schema, maxProperties: number): Schema => ({ ...schema, maxProperties });
    const own: [title: string, old: Schema, next: Schema, path: string, effect: Effect][] = [
      [
        'a kind beside a new field',
        whole({}),
        whole({ kind: nobody, b: string }),
        '^.kind',
        'breaking',
      ],
      [
        'a bound on names',
        whole({ metadata: object({}) }),
        whole(ofName(short)),
        '^.metadata.name',
        'breaking',
      ],
      [
        'a bound on names where metadata is new',
        whole({}),
        whole(ofName(short)),
        '^.metadata.name',
        'breaking',
      ],
      [
        'a bound on generated names',
        whole({}),
        whole({ metadata: object({ generateName: short }) }),
        '^.metadata.generateName',
        'breaking',
      ],
      [
        'a bound that every name keeps',
        whole({}),
        whole(ofName({ ...string, maxLength: 253 })),
        '^.metadata',
        'safe',
      ],
      ['a bound that goes', whole(ofName(short)), whole(ofName(string)), '^.metadata', 'safe'],
      ['all that it must have', whole({}), fewer(whole({}), 3), '^', 'breaking'],
      ['all that it can have', whole({}), fewer(whole({}), 4), '^', 'safe'],
      ['all that it surely has', whole({}), { ...whole({}), minProperties: 3 }, '^', 'safe'],
      [
        'a kind of one within',
        nested({}),
        nested({ kind: nobody, b: string }),
        '^.spec.f.kind',
        'breaking',
      ],
      [
        'a name of one within',
        nested({}),
        nested(ofName(short)),
        '^.spec.f.metadata.name',
        'breaking',
      ],
      [
        'what one within must have',
        nested({}),
        nested({}, { maxProperties: 3 }),
        '^.spec.f',
        'breaking',
      ],
      [
        'a name in a branch',
        whole({}),
        { ...whole({}), anyOf: [object(ofName(short))] },
        '^',
        'breaking',
      ],
    ];
    for (const [title, old, next, path, effect] of own) {
      it(`${title}: ${effect}`, () => {
        const [before, after] = [old, next].map((schema) =>
          exampleDefinition(schema as JsonObject),
        );
        const { results } = proveDocuments(before as JsonObject, after as JsonObject);
        const said = results.map((result) => [result.path, result.effect]);
        expect(said, JSON.stringify(results)).to.deep.include([path, effect]);
        const harm = results.filter((result) => !['safe', 'behavior'].includes(result.effect));
        expect(harm.map((result) => result.path)).to.deep.equal(effect === 'safe' ? [] : [path]);
      });
    }
  });

  it('takes an empty list of values for no restriction, as the API server does', () => {
    const [none, one] = [
      { ...string, enum: [] },
      { ...string, enum: ['a'] },
    ];
    expect(proveDocuments(definition(field(none)), definition(field(one))).effect).to.equal(
      'breaking',
    );
    expect(proveDocuments(definition(field(one)), definition(field(none))).effect).to.equal('safe');
  });

  for (const { name, old, next } of hugePairs(1_500)) {
    it(`bounds what a proof of 1,500 differences costs: ${name}`, () => {
      const limits = { perDifference: 60, inAll: 900, atRandom: 180, values: 36_000 };
      const judgement = proveDocuments(definition(old), definition(next), { limits });
      // One object, put to both schemas and written again, may begin just before the end.
      expect(judgement.cost).to.be.lessThan(54_000);
      expect(judgement.effect).to.be.oneOf(['breaking', 'data-loss', 'undecided']);
      const undecided = judgement.results.filter(({ effect }) => effect === 'undecided');
      expect(undecided.length).to.be.greaterThan(0);
      for (const { reason } of undecided) {
        expect(reason).to.match(/budget|more than is tried|more places than are followed/);
      }
    });
  }

  it('keeps half of its budget for witnesses where more places differ than it follows', () => {
    const fields = (maxLength: number): Schema =>
      object(
        Object.fromEntries(
          Array.from({ length: 5_000 }, (_, index) => [`f${index}`, { ...string, maxLength }]),
        ),
      );
    const { results } = proveDocuments(definition(fields(9)), definition(fields(8)), {
      values: 300_000,
    });
    const cut = results.filter(({ reason }) => reason.includes('more places than are followed'));
    expect(cut.map(({ effect }) => effect)).to.deep.equal(['undecided']);
    expect(results.filter(({ effect }) => effect === 'breaking').length).to.be.greaterThan(50);
  });

  it('decides each of many bounds on fields deep inside lists, by objects that are small', () => {
    const names = Array.from({ length: 60 }, (_, index) => `f${index}`);
    const deep = (leaf: Schema, list: Schema): Schema => {
      const inner = Object.fromEntries(names.map((name) => [name, leaf]));
      const lists = names.map((name): [string, Schema] => [
        `${name}s`,
        { type: 'array', items: string, ...list },
      ]);
      const fields: Schema = { name: string, ...inner, ...Object.fromEntries(lists) };
      const around = object(fields, { required: ['name'] });
      return [1, 2, 3].reduce<Schema>((of) => {
        const item = object({ id: string, kind: string, of }, { required: ['id', 'of'] });
        return object({ of: { type: 'array', items: item } });
      }, around);
    };
    const bounded = { ...string, minLength: 1, maxLength: 512 };
    const { results } = proveDocuments(
      definition(deep(string, {})),
      definition(deep(bounded, { maxItems: 100 })),
    );
    expect(results.map(({ effect }) => effect)).to.deep.equal(
      Array.from({ length: 3 * names.length }, () => 'breaking'),
    );
  }).timeout(60_000);

  it('decides the differences behind one whose witness is large and costly to make smaller', () => {
    const rule = "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')";
    const list = (more: JsonObject, item: JsonObject = {}): JsonObject => ({
      ...{ type: 'array', ...more },
      items: { type: 'string', pattern: '^[a-z0-9]+$', maxLength: 253, ...item },
    });
    const ruled = { 'x-kubernetes-validations': [{ rule }] };
    const [old, next] = [list({}), list({ maxItems: 256 }, ruled)].map((channels, isNew) =>
      definition(object({ channels, size: { ...string, maxLength: isNew ? 3 : 9 } })),
    );
    const { effect, results } = proveDocuments(old ?? null, next ?? null, { values: 40_000 });
    expect(effect).to.equal('breaking');
    const decided = results.map((each) => [each.path, each.effect]);
    expect(decided).to.deep.include(['^.spec.channels', 'breaking']);
    expect(decided).to.deep.include(['^.spec.size', 'breaking']);
  });

  it('compiles no more rules once its budget is used up', () => {
    const sum = Array.from({ length: 240 }, () => 'self.t').join(' + ');
    const ruled = (last: string): Schema => ({
      ...object({ t: string }),
      'x-kubernetes-validations': Array.from({ length: 40 }, (_, index) => ({
        rule: `${sum} != '${index}${last}'`,
      })),
    });
    const [old, next] = [ruled('a'), ruled('b')].map(definition);
    const proof = proveDocuments(old ?? null, next ?? null, { values: 20_000 });
    expect(proof.effect).to.equal('undecided');
    expect(proof.cost).to.be.below(40_000);
    expect(proof.results.map(({ reason }) => reason).join('\n')).to.include('were not added up');
  });

  it('ends in undecided when its budget is used up', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `f${index}`,
        { ...string, 'x-kubernetes-validations': [{ rule: 'size(self.trim()) <= size(self)' }] },
      ]),
    );
    const old = Object.fromEntries(Object.keys(properties).map((name) => [name, string]));
    const judgement = proveDocuments(definition(object(old)), definition(object(properties)), {
      limits: { perDifference: 20, inAll: 100, atRandom: 600, values: 100_000 },
    });
    expect(judgement.effect).to.equal('undecided');
    expect(
      judgement.results.some(({ reason }) =>
        reason.includes('the budget of 100 objects is used up'),
      ),
    ).to.equal(true);
  });
});
