import { expect } from 'chai';
import { timerMilliseconds } from './timer.js';

describe('timerMilliseconds', () => {
  const rows: readonly (readonly [number, number])[] = [
    [0, 0],
    [0.0001, 1],
    [2.01, 2010],
    [1.2345, 1235],
    [1e12, 86_400_000],
  ];
  for (const [seconds, milliseconds] of rows) {
    it(`${seconds} s`, () => {
      expect(timerMilliseconds(seconds)).to.equal(milliseconds);
      expect(() => AbortSignal.timeout(milliseconds)).not.to.throw();
    });
  }
});
