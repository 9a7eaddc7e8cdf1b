import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { exampleOfSpec } from '../../rules/crd/example-definition.js';
import { proveDocuments } from '../testing/prove-documents.js';

const over = (minimum: number): JsonObject => ({ minimum, exclusiveMinimum: true });
const under = (maximum: number): JsonObject => ({ maximum, exclusiveMaximum: true });

/** Bounds of an integer that name its last value or the one past it: fractions pass above positive ones. */
const rows: readonly (readonly [old: JsonObject, next: JsonObject, witness?: number])[] = [
  [over(0), { minimum: 1 }],
  [over(-2), { minimum: -1 }],
  [over(1), { minimum: 2 }, 1.000000001],
  [{ minimum: 2 }, over(1)],
  [under(1), { maximum: 0 }],
  [under(2), { maximum: 1 }, 1.000000001],
  [{ maximum: 1 }, under(2)],
];

describe('bounds of integers', () => {
  const judge = (old: JsonObject, next: JsonObject): ReturnType<typeof proveDocuments> => {
    const [before, after] = [old, next].map((bounds) =>
      exampleOfSpec({ type: 'object', properties: { n: { type: 'integer', ...bounds } } }),
    ) as [JsonObject, JsonObject];
    return proveDocuments(before, after);
  };

  for (const [old, next, witness] of rows) {
    it(`${witness === undefined ? 'safe' : 'absurd'}: ${JSON.stringify(old)} becomes ${JSON.stringify(next)}`, () => {
      const { effect, results } = judge(old, next);
      expect(effect).to.equal(witness === undefined ? 'safe' : 'breaking');
      if (witness === undefined) return;
      expect(results[0]?.harm).to.equal('AbsurdValue');
      expect(results[0]?.witness).to.have.nested.property('spec.n', witness);
    });
  }
  it('are told apart where numbers of a file are not', () => {
    const [old, next] = [under(2 ** 53 + 2), { maximum: 2 ** 53 }];
    const { results } = judge(old, next);
    expect(results[0]?.effect).not.to.equal('safe');
    expect(results[0]?.harm).to.equal(undefined);
  });
});
