import { expect } from 'chai';
import { reviewMilliseconds } from './deadline.js';

const deadlines: [timeout: unknown, milliseconds: number][] = [
  ['10s', 9_500],
  ['1s', 800],
  ['30s', 29_500],
  ['5m', 29_500],
  ['333ms', 266],
  ['1.0005s', 800],
  ['1ns', 0],
  [undefined, 9_500],
  ['soon', 9_500],
  ['0s', 9_500],
  ['-5s', 9_500],
  [['1s', '2s'], 9_500],
];

describe('reviewMilliseconds', () => {
  for (const [timeout, milliseconds] of deadlines) {
    it(`leaves a margin of ${JSON.stringify(timeout)}`, () => {
      expect(reviewMilliseconds(timeout, 'api-server')).to.equal(milliseconds);
      const ofOthers = Math.min(milliseconds, 9_500);
      expect(reviewMilliseconds(timeout, 'unverified')).to.equal(ofOthers);
      expect(reviewMilliseconds(timeout, 'unauthenticated')).to.equal(ofOthers);
    });
  }
});
