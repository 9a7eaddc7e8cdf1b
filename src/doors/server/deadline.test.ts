import { expect } from 'chai';
import { parseGoDuration, reviewMilliseconds } from './deadline.js';

const durations: [text: string, milliseconds: number | undefined][] = [
  ['10s', 10_000],
  ['1m30s', 90_000],
  ['1.5h', 5_400_000],
  ['500ms', 500],
  ['250us', 0.25],
  ['0', 0],
  ['', undefined],
  ['10', undefined],
  ['s', undefined],
  ['-5s', undefined],
  ['10 s', undefined],
];

describe('parseGoDuration', () => {
  for (const [text, milliseconds] of durations) {
    it(JSON.stringify(text), () => {
      expect(parseGoDuration(text)).to.equal(milliseconds);
    });
  }
});

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
  [['1s', '2s'], 9_500],
];

describe('reviewMilliseconds', () => {
  for (const [timeout, milliseconds] of deadlines) {
    it(`leaves a margin of ${JSON.stringify(timeout)}`, () => {
      expect(reviewMilliseconds(timeout)).to.equal(milliseconds);
    });
  }
});
