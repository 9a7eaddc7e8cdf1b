/** What holds for every definition, tried on many. */
import { expect } from 'chai';
import fc from 'fast-check';
import { own, type JsonObject, type JsonValue } from '../../../text/documents/index.js';
import { foundAt } from '../../../rule/index.js';
import { judgeByReference, referenceProfiles } from './profiles.js';
import { definition } from './testing/definition.js';
import { samples } from '../../../rule/testing/samples.js';
import { UpgradePair } from '../../pair.js';

/** The order of versions is another one, and with it the place in the document. */
const printed = (findings: unknown): unknown => JSON.parse(JSON.stringify(findings));

const runs = { numRuns: samples(3) };

const names = fc.constantFrom('a', 'b', 'a.b', 'x[0]', '__proto__', 'toString', 'items', '日本');
const keywords: Record<string, fc.Arbitrary<JsonValue>> = {
  type: fc.constantFrom('string', 'integer', 'object'),
  description: fc.constantFrom('a', 'b'),
  enum: fc.uniqueArray(fc.constantFrom<JsonValue>('x', 'y', 1, null), { minLength: 1 }),
  required: fc.uniqueArray(names, { minLength: 1 }),
  default: fc.constantFrom<JsonValue>('x', 1, { b: 1, a: [2] }),
  maximum: fc.integer({ min: 0, max: 3 }),
  minLength: fc.integer({ min: 0, max: 3 }),
  pattern: fc.constantFrom('^a', 'b$'),
  nullable: fc.boolean(),
  'x-kubernetes-list-type': fc.constantFrom('atomic', 'set'),
};

function schemaOf(depth: number): fc.Arbitrary<JsonObject> {
  const inner = depth === 0 ? fc.constant<JsonObject>({}) : schemaOf(depth - 1);
  return (
    fc
      .record(
        {
          ...keywords,
          properties: fc.dictionary(names, inner, { maxKeys: 3, noNullPrototype: true }),
          items: inner,
          additionalProperties: fc.oneof(fc.boolean(), inner),
          anyOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
        },
        { requiredKeys: [], noNullPrototype: true },
      )
      // Empty lists and maps are left to the tables: the references tell them from absent ones.
      .map((record) => withoutEmpty(record as JsonObject))
  );
}

const schema = schemaOf(2);

const definitions = fc
  .array(fc.tuple(fc.constantFrom('v1', 'v1beta1', 'v2'), fc.boolean(), schema), {
    minLength: 1,
    maxLength: 3,
  })
  .map((versions) =>
    definition({
      stored: ['v1'],
      versions: versions.map(([name, served, schema]) => ({ name, served, schema })),
    }),
  );

function withoutEmpty(schema: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).filter(
      ([, value]) => typeof value !== 'object' || value === null || Object.keys(value).length > 0,
    ),
  );
}

/** The same value with the keys of every object the other way round. */
function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item as JsonValue)]),
  );
}

describe('every upgrade', () => {
  for (const profile of referenceProfiles) {
    it(`${profile}: a definition against itself has no finding within a version`, () => {
      fc.assert(
        fc.property(definitions, (crd) => {
          const names = (crd['spec'] as { versions: { name: string }[] }).versions.map(
            ({ name }) => name,
          );
          fc.pre(new Set(names).size === names.length && names.includes('v1'));
          const between = judgeByReference(UpgradePair.read(crd, crd), profile).findings.filter(
            ({ version }) => version === undefined || !version.includes(' -> '),
          );
          expect(between).to.deep.equal([]);
        }),
        runs,
      );
    });

    it(`${profile}: the order of keys does not matter`, () => {
      fc.assert(
        fc.property(definitions, definitions, (old, next) => {
          const straight = judgeByReference(UpgradePair.read(old, next), profile);
          const turned = judgeByReference(UpgradePair.read(reversed(old), reversed(next)), profile);
          expect(printed(turned.findings)).to.deep.equal(printed(straight.findings));
          expect(turned.message).to.equal(straight.message);
        }),
        runs,
      );
    });

    it(`${profile}: every finding can be located in one of the documents`, () => {
      fc.assert(
        fc.property(definitions, definitions, (old, next) => {
          for (const finding of judgeByReference(UpgradePair.read(old, next), profile).findings) {
            const { side, keys } = finding[foundAt] ?? { side: 'new', keys: ['missing'] };
            // A keyword that was removed has no place of its own.
            const reached = keys.slice(0, -1).reduce<unknown>(step, side === 'old' ? old : next);
            expect(reached, `${finding.message} at ${keys.join('/')}`).to.satisfy(
              (value: unknown) => typeof value === 'object' && value !== null,
            );
          }
        }),
        runs,
      );
    });
  }

  it('crdify: an optional field added to the only version never denies', () => {
    fc.assert(
      fc.property(schema, names, schema, (before, name, added) => {
        const known = (own(before, 'properties') ?? {}) as JsonObject;
        const rest: JsonObject = { type: 'object', enum: own(before, 'enum') ?? null };
        fc.pre(
          !Object.hasOwn(known, name) &&
            ![...Object.keys(known), name].some((key) => /[.[]/.test(key)),
        );
        const after = { ...rest, properties: { ...known, [name]: added } };
        const old = definition({ versions: [{ schema: { ...rest, properties: known } }] });
        expect(
          judgeByReference(
            UpgradePair.read(old, definition({ versions: [{ schema: after }] })),
            'crdify',
          ).message,
        ).to.equal('');
      }),
      runs,
    );
  });
});

function step(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}
