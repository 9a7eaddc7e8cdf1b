import { expect } from 'chai';
import { own } from '../../src/text/documents/index.js';
import { goldenRows, type GoldenRow } from './golden.js';
import { crossplaneDifference, kroDifference } from './sources.js';

const rows = {
  Crossplane: { rows: goldenRows('sources-crossplane'), difference: crossplaneDifference },
  kro: { rows: goldenRows('sources-kro'), difference: kroDifference },
};

function isRefused(row: GoldenRow): boolean {
  const wanted = own(row, 'expect');
  return typeof wanted === 'object' && wanted !== null && 'error' in wanted;
}

describe('definitions that controllers make of other objects', () => {
  for (const [controller, { rows: all, difference }] of Object.entries(rows)) {
    it(`are those of ${controller} in ${all.length} rows`, () => {
      const taken = all.filter((row) => !isRefused(row));
      expect(taken.length).to.be.greaterThan(100);
      const wrong = all.flatMap((row) => {
        const found = difference(row);
        return found === undefined ? [] : [`${row.id}: ${found}`];
      });
      expect(wrong).to.deep.equal([]);
    });
  }
});
