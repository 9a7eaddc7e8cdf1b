import { expect } from 'chai';
import { SlidingSample } from './resolution-summary.js';

const minute = 60_000;

describe('SlidingSample', () => {
  const rows: [rule: string, values: number[], quantiles: number[]][] = [
    ['nothing', [], [NaN, NaN, NaN]],
    ['one', [3], [3, 3, 3]],
    ['ten', [10, 9, 8, 7, 6, 5, 4, 3, 2, 1], [9, 10, 10]],
    ['a hundred', Array.from({ length: 100 }, (_, i) => i + 1), [90, 95, 99]],
  ];
  for (const [rule, values, quantiles] of rows) {
    it(`takes the nearest rank of ${rule}`, () => {
      const sample = new SlidingSample(0);
      for (const value of values) sample.observe(value, 0);
      expect(sample.quantiles([0.9, 0.95, 0.99], 0)).to.deep.equal(quantiles);
    });
  }

  it('forgets after ten minutes, in steps of two, but not sum and count', () => {
    const sample = new SlidingSample(0);
    sample.observe(1, 0);
    sample.observe(2, 3 * minute);
    expect(sample.quantiles([0], 10 * minute - 1)).to.deep.equal([1]);
    expect(sample.quantiles([0], 10 * minute)).to.deep.equal([2]);
    expect(sample.quantiles([0], 12 * minute)).to.deep.equal([NaN]);
    expect([sample.sum, sample.count]).to.deep.equal([3, 2]);
  });

  it('keeps a bounded number of values', () => {
    const sample = new SlidingSample(0, { stepMilliseconds: minute, steps: 1, valuesPerStep: 2 });
    for (const value of [1, 2, 3]) sample.observe(value, 0);
    expect(sample.quantiles([0, 1], 0)).to.deep.equal([2, 3]);
  });
});
