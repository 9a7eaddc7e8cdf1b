import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../text/documents/index.js';
import { judgeByReference } from '../rules/crd/profiles.js';
import { readCustomResourceDefinition } from './custom-resource-definition.js';
import { changedPairs, pairsIn, servedPairs, type VersionPair } from './served-versions.js';
import { samples } from '../../rule/testing/samples.js';
import { UpgradePair } from '../pair.js';

function definition(schemas: readonly JsonObject[], unserved: readonly number[] = []): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: schemas.map((schema, index) => ({
        name: `v${index + 1}`,
        served: !unserved.includes(index),
        storage: index === 0,
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}

const read = (value: JsonValue): ReturnType<typeof readCustomResourceDefinition> =>
  readCustomResourceDefinition(value);
const names = (pairs: readonly VersionPair[]): string[] =>
  pairs.map(([lower, higher]) => `${lower.name} ${higher.name}`);
const string = (maxLength: number): JsonObject => ({
  type: 'object',
  properties: { a: { type: 'string', maxLength } },
});

describe('served versions that are compared', () => {
  it('are each with every later one', () => {
    const { pairs, leftOut } = servedPairs(read(definition([{}, {}, {}, {}], [1])));
    expect(names(pairs)).to.deep.equal(['v1 v3', 'v1 v4', 'v3 v4']);
    expect(leftOut).to.equal(0);
  });

  it('are neighbours where all pairs would be too many', () => {
    const { pairs, leftOut } = servedPairs(
      read(definition(Array.from({ length: 1000 }, () => ({})))),
    );
    expect(pairs).to.have.length(999);
    expect(leftOut).to.equal((1000 * 999) / 2 - 999);
  });

  it('are neighbours where all pairs would be too much to read', () => {
    const long = { type: 'object', description: 'x'.repeat(100_000) };
    const { pairs } = servedPairs(read(definition(Array.from({ length: 20 }, () => long))));
    expect(pairs).to.have.length(19);
  });

  it('are those that changed, where the others are known', () => {
    const before = read(definition([string(4), string(3), string(2), string(1)]));
    const after = read(definition([string(4), string(3), string(2), string(9)]));
    const { pairs } = changedPairs(before, after);
    expect(names(pairs)).to.deep.equal(['v1 v4', 'v2 v4', 'v3 v4']);
    expect(names(pairsIn(before, pairs))).to.deep.equal(names(pairs));
  });

  const keyword = fc.record(
    {
      type: fc.constantFrom('string', 'integer'),
      maximum: fc.nat({ max: 2 }),
      minLength: fc.nat({ max: 2 }),
      enum: fc.subarray(['a', 'b', 'c']),
      required: fc.subarray(['a', 'b']),
      nullable: fc.boolean(),
      pattern: fc.constantFrom('a', 'b'),
      default: fc.constantFrom('a', 'b'),
      description: fc.constantFrom('a', 'b'),
    },
    { requiredKeys: ['type'] },
  );
  const schema = fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('a', 'b'), keyword),
      required: fc.subarray(['a', 'b']),
    },
    { requiredKeys: ['type'] },
  );
  for (const profile of ['olm-v1', 'crdify'] as const) {
    it(`agree by ${profile} when their neighbours do`, () => {
      const isAllowed = (schemas: readonly unknown[]): boolean => {
        const crd = definition(schemas as JsonObject[]);
        // Whatever crdify finds in the old definition too it leaves out: there versions are not served.
        const old = definition(schemas as JsonObject[], [0, 1, 2]);
        return judgeByReference(UpgradePair.read(old, crd), profile).allowed;
      };
      fc.assert(
        fc.property(schema, schema, schema, (one, two, three) => {
          fc.pre(isAllowed([one, two]) && isAllowed([two, three]));
          expect(isAllowed([one, three])).to.equal(true);
        }),
        { numRuns: samples(3), maxSkipsPerRun: 1000 },
      );
    });
  }

  for (const profile of ['olm-v1', 'crdify'] as const) {
    it(`are judged by ${profile} as all pairs are, when they are hundreds`, () => {
      const grown = Array.from({ length: 300 }, (_, index) => string(index + 1));
      expect(
        judgeByReference(UpgradePair.read(definition(grown), definition(grown)), profile).allowed,
      ).to.equal(true);
      const broken = [...grown.slice(0, 299), string(1)];
      const { allowed, findings } = judgeByReference(
        UpgradePair.read(definition(grown), definition(broken)),
        profile,
      );
      expect(allowed).to.equal(false);
      expect(findings.length).to.be.greaterThan(1).and.lessThan(1000);
    });
  }
});
