/** Formats of numbers, which API servers hold values to since 1.36. */
import { expect } from 'chai';
import type { Effect } from '../../../rule/index.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { compileValidator, KnownSchemas, releaseFor } from '../../../kubernetes/index.js';
import { exampleOfSpec } from '../../rules/crd/example-definition.js';
import { proveDocuments } from '../testing/prove-documents.js';

const definition = (field: JsonObject): JsonObject =>
  exampleOfSpec({ type: 'object', properties: { field } });

const integer = { type: 'integer' };
const number = { type: 'number' };
const int32 = { ...integer, format: 'int32' };
const float = { ...number, format: 'float' };

interface Row {
  readonly name: string;
  readonly old: JsonObject;
  readonly next: JsonObject;
  /** As 1.36 and later have it; up to 1.35 nothing is, unless `before` says so. */
  readonly effect: Effect;
  readonly before?: Effect;
  /** What the smallest object has in the field. */
  readonly witness?: number | readonly number[] | JsonObject;
}

const rows: readonly Row[] = [
  { name: 'int32', old: integer, next: int32, effect: 'breaking', witness: 2 ** 31 },
  {
    name: 'int32 in place of int64',
    old: { ...integer, format: 'int64' },
    next: int32,
    ...{ effect: 'breaking', witness: 2 ** 31 },
  },
  {
    name: 'int32 within bounds',
    old: { ...integer, minimum: 0, maximum: 100 },
    next: { ...int32, minimum: 0, maximum: 100 },
    effect: 'safe',
  },
  {
    name: 'int32 below a maximum only',
    old: { ...integer, maximum: 5 },
    next: { ...int32, maximum: 5 },
    ...{ effect: 'breaking', witness: -(2 ** 31) - 1 },
  },
  {
    name: 'int32 above bounds that no int32 has',
    old: { ...integer, minimum: 5_000_000_000 },
    next: { ...int32, minimum: 5_000_000_000 },
    ...{ effect: 'breaking', witness: 5_000_000_000 },
  },
  {
    name: 'int32 of multiples',
    old: { ...integer, multipleOf: 7 },
    next: { ...int32, multipleOf: 7 },
    ...{ effect: 'breaking', witness: 2_147_483_660 },
  },
  {
    name: 'int32 of listed values',
    old: { ...integer, enum: [1, 2] },
    next: { ...int32, enum: [1, 2] },
    effect: 'safe',
  },
  {
    name: 'int32 of a listed value that is none',
    old: { ...integer, enum: [1, 5_000_000_000] },
    next: { ...int32, enum: [1, 5_000_000_000] },
    ...{ effect: 'breaking', before: 'safe', witness: 5_000_000_000 },
  },
  {
    name: 'int32 of items',
    old: { type: 'array', items: integer },
    next: { type: 'array', items: int32 },
    ...{ effect: 'breaking', witness: [2 ** 31] },
  },
  {
    name: 'int32 of values of a map',
    old: { type: 'object', additionalProperties: integer },
    next: { type: 'object', additionalProperties: int32 },
    ...{ effect: 'breaking', witness: { key: 2 ** 31 } },
  },
  { name: 'int32 gone', old: int32, next: integer, effect: 'safe' },
  {
    name: 'int64 in place of int32',
    old: int32,
    next: { ...int32, format: 'int64' },
    effect: 'safe',
  },
  { name: 'int64', old: integer, next: { ...integer, format: 'int64' }, effect: 'safe' },
  {
    name: 'a bound that every int32 keeps',
    old: int32,
    next: { ...int32, minimum: -(2 ** 31) },
    ...{ effect: 'safe', before: 'breaking' },
  },
  { name: 'float', old: number, next: float, effect: 'breaking', witness: 1e300 },
  {
    name: 'float within bounds',
    old: { ...number, minimum: 0, maximum: 1e10 },
    next: { ...float, minimum: 0, maximum: 1e10 },
    effect: 'safe',
  },
  {
    name: 'float of listed values',
    old: { ...number, enum: [1, 0.5] },
    next: { ...float, enum: [1, 0.5] },
    effect: 'safe',
  },
  { name: 'float in place of an integer', old: integer, next: float, effect: 'safe' },
  { name: 'double', old: number, next: { ...number, format: 'double' }, effect: 'safe' },
  {
    name: 'float of an integer',
    old: integer,
    next: { ...integer, format: 'float' },
    effect: 'safe',
  },
  {
    name: 'int32 of a text',
    old: { type: 'string' },
    next: { type: 'string', format: 'int32' },
    effect: 'safe',
  },
  {
    name: 'int32 of what may be a text',
    old: { 'x-kubernetes-int-or-string': true },
    next: { 'x-kubernetes-int-or-string': true, format: 'int32' },
    effect: 'safe',
  },
];

describe('a format of numbers that is new', () => {
  for (const { name, old, next, effect, witness, ...row } of rows) {
    const { before = effect === 'breaking' ? 'behavior' : 'safe' } = row;
    it(`${name}: ${effect}`, () => {
      const [from, to] = [definition(old), definition(next)];
      const proof = proveDocuments(from, to, { known: new KnownSchemas('1.36') });
      expect(proof.effect).to.equal(effect);
      expect(proveDocuments(from, to).effect).to.equal(before);
      const shown = proof.results.flatMap((result) => result.witness ?? []);
      expect(shown.length > 0).to.equal(effect === 'breaking');
      for (const object of shown as JsonObject[]) {
        expect((object['spec'] as JsonObject)['field']).to.deep.equal(witness);
        const verdicts = [from, to].map(
          (crd) => compileValidator(crd, 'v1', '1.36').validateCreate(object).valid,
        );
        expect(verdicts).to.deep.equal([true, false]);
      }
    });
  }

  it('says since when, and that what is stored can be updated', () => {
    const known = new KnownSchemas('1.36');
    const [result] = proveDocuments(definition(integer), definition(int32), { known }).results;
    expect(result?.reason).to.include(
      'the format int32 is new, and Kubernetes holds numbers to it from 1.36 on',
    );
    expect(result?.stored).to.include({ create: 'refused', update: 'ratcheted' });
  });
});

describe('minors that hold numbers to their formats', () => {
  for (const [text, isHeld] of [
    [undefined, false],
    ['', false],
    ['1.35', false],
    ['1.29..1.35', false],
    ['1.30..1.36', true],
    ['1.36', true],
    ['1.33+', true],
    ['1.33,1.37', true],
    ['1.99', true],
    ['v1.35.4+k3s1', false],
    ['v1.36.0-alpha.1', true],
    ['v1.36.2+k3s1', true],
    ['cluster', false],
  ] as const) {
    it(`${text ?? 'none'}: ${isHeld}`, () => {
      expect(releaseFor(text)).to.equal(isHeld ? '1.36' : undefined);
    });
  }
});
