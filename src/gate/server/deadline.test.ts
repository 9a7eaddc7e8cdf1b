import { expect } from 'chai';
import { reviewMilliseconds } from './answer-review.js';

const deadlines: [timeout: unknown, milliseconds: number][] = [
  ['10s', 9_000],
  ['1s', 800],
  ['30s', 29_000],
  ['5m', 29_000],
  ['333ms', 266],
  ['1.0005s', 800],
  ['1ns', 0],
  [undefined, 9_000],
  ['soon', 9_000],
  ['0s', 9_000],
  ['-5s', 9_000],
  [['1s', '2s'], 9_000],
];

describe('reviewMilliseconds', () => {
  for (const [timeout, milliseconds] of deadlines) {
    it(`leaves a margin of ${JSON.stringify(timeout)}`, () => {
      expect(reviewMilliseconds(timeout, 'api-server')).to.equal(milliseconds);
      const ofOthers = Math.min(milliseconds, 9_000);
      expect(reviewMilliseconds(timeout, 'unverified')).to.equal(ofOthers);
      expect(reviewMilliseconds(timeout, 'unauthenticated')).to.equal(ofOthers);
    });
  }
});
