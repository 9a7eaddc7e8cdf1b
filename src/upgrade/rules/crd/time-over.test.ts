import { expect } from 'chai';
import type { JsonObject } from '../../../text/documents/index.js';
import { object, withSchema } from './testing/definition.js';
import { proveDocuments } from '../../proof/testing/prove-documents.js';
import { Judge } from '../../judge/judge.js';

const bounded = (lowered: number): JsonObject => {
  const fields = Array.from({ length: 50 }, (_, index): [string, JsonObject] => [
    `field${index}`,
    { type: 'integer', maximum: index + 2 - lowered },
  ]);
  return withSchema(object({ spec: object(Object.fromEntries(fields)) }));
};
const [old, next] = [bounded(0), bounded(1)];

const judge = Judge.for({ profile: 'crdify' }, 'fixes');

/** True from the so-manieth question on. */
const after = (asked: number): (() => boolean) => {
  let left = asked;
  return () => --left < 0;
};

describe('a proof whose time is over', () => {
  it('has decided nothing when it has not begun', () => {
    const { effect, results } = proveDocuments(old, next, { isOver: () => true });
    expect(effect).to.equal('undecided');
    expect(results.map(({ effect, path }) => [effect, path])).to.deep.equal([['undecided', '']]);
  });

  it('keeps what it has decided until then, and names the rest', () => {
    let asked = 0;
    const whole = proveDocuments(old, next, { isOver: () => ++asked < 0 });
    const { results } = proveDocuments(old, next, { isOver: after(asked / 2) });
    expect(results.map(({ path }) => path)).to.deep.equal(whole.results.map(({ path }) => path));
    const effects = results.map(({ effect }) => effect);
    expect(effects).to.include('breaking').and.to.include('undecided');
    expect(effects.slice().sort()).to.deep.equal(effects);
    expect(results.at(-1)?.reason).to.match(/the time for the proof was over/);
  });

  it('never calls safe what it did not look at', () => {
    for (const asked of [0, 1, 10, 50, 100, 500, 1_000]) {
      const pair = judge.pair(old, next, { isOver: after(asked) });
      const findings = judge.upgrade(pair).findings;
      expect(findings).to.have.lengthOf(50);
      for (const { effect } of findings) expect(effect).to.be.oneOf(['breaking', 'undecided']);
    }
  });
});
