import { expect } from 'chai';
import { apiAccepts } from './api-range.js';

describe('ranges that the ClusterExtension API accepts', () => {
  const rows: [rule: string, range: string, accepted: boolean][] = [
    ['the documented example', '>=1.11, <1.13', true],
    ['OR', '^0 || ^3 || ^5', true],
    ['blank between operator and version', '>= 1.2', true],
    ['a wildcard', '1.x', true],
    ['a patch wildcard', '1.2.*', true],
    ['64 characters', `1.2.3-${'a'.repeat(58)}`, true],
    ['65 characters', `1.2.3-${'a'.repeat(59)}`, false],
    ['a hyphen range', '1.2 - 1.4', false],
    ['two stars', '1.*.*', false],
    ['a leading zero', '01.2.3', false],
    ['a star in a later comparison’s major', '>=1 *', false],
    ['a star in a later comparison’s patch', '>=1 <=1.2.*', false],
    ['nothing', '', false],
    ['blanks', '  ', false],
    ['an empty alternative', '1 ||', false],
    ['what only its pattern lets through', '1.*]', true],
    ['no version', 'latest', false],
  ];
  for (const [rule, range, accepted] of rows) {
    it(`${accepted ? 'accepts' : 'refuses'} ${rule}`, () => {
      expect(apiAccepts(range)).to.equal(accepted);
    });
  }
});
