import { expect } from 'chai';
import { notCoveredLines } from './export.js';

describe('what policies do not cover', () => {
  const about = (sentence: string, ...names: string[]) => names.map((name) => ({ name, sentence }));
  const rows: [what: string, ...Parameters<typeof notCoveredLines>, lines: string[]][] = [
    ['one definition', about('x', 'a'), 1, ['a: not covered: x']],
    ['all of them', about('x', 'a', 'b'), 2, ['all 2 definitions: not covered: x']],
    ['some of them', about('x', 'a', 'b'), 3, ['a, b: not covered: x']],
    [
      'many of them',
      about('x', 'a', 'b', 'c', 'd', 'e'),
      6,
      ['a, b, c and 2 more: not covered: x'],
    ],
    [
      'different things',
      [...about('x', 'a'), ...about('y', 'a', 'b'), ...about('x', 'b')],
      2,
      ['all 2 definitions: not covered: x', 'all 2 definitions: not covered: y'],
    ],
  ];
  for (const [what, found, definitions, lines] of rows) {
    it(`is said once: of ${what}`, () => {
      expect(notCoveredLines(found, definitions)).to.deep.equal(lines);
    });
  }
});
