import { expect } from 'chai';
import { formatCounts } from './counts.js';

describe('counts in words', () => {
  const rows: readonly (readonly [Record<string, number>, string])[] = [
    [{}, ''],
    [{ errors: 0, warnings: 1, notes: 2 }, '0 errors, 1 warning, 2 notes'],
    [{ otherDocuments: 1 }, '1 other document'],
    [{ edgesWithoutDefinitions: 1 }, '1 edge without definitions'],
    [{ allowed: 1, denied: 0 }, '1 allowed, 0 denied'],
  ];
  for (const [counts, words] of rows) {
    it(words || 'nothing counted', () => {
      expect(formatCounts(counts)).to.equal(words);
    });
  }
});
