import { expect } from 'chai';
import { delayBefore } from './backoff.js';

describe('cluster: backoff', () => {
  const rows: [number, number, number][] = [
    [0, 0, 0],
    [1, 50, 100],
    [2, 100, 200],
    [3, 200, 400],
    [4, 400, 800],
    [5, 500, 1000],
    [1000, 500, 1000],
  ];
  for (const [failures, least, most] of rows) {
    it(`waits ${least} to ${most} ms after ${failures} failures`, () => {
      const backoff = { firstMilliseconds: 100, maxMilliseconds: 1000 };
      expect(delayBefore(failures, backoff, () => 0)).to.equal(least);
      expect(delayBefore(failures, backoff, () => 1)).to.equal(most);
    });
  }
});
