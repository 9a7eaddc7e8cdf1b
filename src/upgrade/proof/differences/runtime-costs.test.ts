import { expect } from 'chai';
import { object, withSchema } from '../../rules/crd/testing/definition.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { proveDocuments } from '../testing/prove-documents.js';
import type { ProofResult } from '../result.js';

const rule = (text: string): JsonObject => ({ 'x-kubernetes-validations': [{ rule: text }] });

/** What is left open of an upgrade of `spec.f`. */
function open(before: JsonObject, after: JsonObject): readonly ProofResult[] {
  const [old, next] = [before, after].map((f) => withSchema(object({ spec: object({ f }) })));
  const { results } = proveDocuments(old as JsonObject, next as JsonObject);
  return results.filter(({ effect }) => effect !== 'safe');
}

describe('what new validation rules cost where they are evaluated', () => {
  const word = { type: 'string', enum: ['a', 'b'] };
  const list = (maxItems: number, items: JsonObject = word): JsonObject => ({
    ...{ type: 'array', items, maxItems },
  });
  const each = rule("self.all(x, x == 'a' || x == 'b')");

  it('is no matter for a rule that is cheap for the largest value', () => {
    expect(open(list(1_000), { ...list(1_000), ...each })).to.deep.equal([]);
  });

  it('is counted by the bounds of either side', () => {
    expect(open(list(1_000), { ...list(1_000_000), ...each })).to.deep.equal([]);
  });

  it('is undecided for a rule that always holds and may cost more than one evaluation may', () => {
    const [result, ...others] = open(list(1_000_000), { ...list(1_000_000), ...each });
    expect(others).to.deep.equal([]);
    expect(result).to.include({ effect: 'undecided', path: '^.spec.f' });
    expect(result?.reason).to.match(
      /may cost more than an API server spends on one evaluation \(up to \d+ of 1000000\): self\.all/,
    );
  });

  it('is undecided for rules that together may cost more than all evaluations may', () => {
    const inner = (many: number, more: JsonObject): JsonObject =>
      list(many, { ...list(10_000), ...more });
    expect(open(inner(50, {}), inner(50, each))).to.deep.equal([]);
    const [result, ...others] = open(inner(1_000, {}), inner(1_000, each));
    expect(others).to.deep.equal([]);
    expect(result).to.include({ effect: 'undecided', path: '' });
    expect(result?.reason).to.match(
      /all validation rules may cost more than an API server spends on one object \(up to \d+ of 10000000\)/,
    );
  });

  it('is no matter of rules that were there before', () => {
    const inner = (items: JsonObject): JsonObject =>
      list(1_000, { ...list(10_000, items), ...each });
    expect(open(inner(word), inner({ ...word, description: 'new' }))).to.deep.equal([]);
  });

  it('are looked for once in each rule, however many others there are', () => {
    const timeOf = (many: number): number => {
      const said = Array.from({ length: many }, (_, index) => ({ rule: `${100_000 + index} > 1` }));
      const [old, next] = [said, [...said, { rule: "self == 'a'" }]].map((all) =>
        withSchema(
          object({ spec: object({ f: { type: 'string', 'x-kubernetes-validations': all } }) }),
        ),
      );
      const start = process.cpuUsage();
      proveDocuments(old as JsonObject, next as JsonObject, { values: 2_000 });
      return process.cpuUsage(start).user;
    };
    timeOf(4_000);
    expect(timeOf(16_000) / timeOf(4_000)).to.be.lessThan(10);
  });
});
