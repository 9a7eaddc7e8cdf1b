import { expect } from 'chai';
import { explainRange } from './explain.js';
import { parseVersion } from './version.js';

describe('ranges in words', () => {
  const v1: [range: string, words: string[]][] = [
    ['>=1.11, <1.13', ['from 1.11.0 and below 1.13.0']],
    ['1.11.x', ['from 1.11.0 and before 1.12.0']],
    ['1.x', ['from 1.0.0 and before 2.0.0']],
    ['*', ['from 0.0.0']],
    ['=1.2.3+b', ['exactly 1.2.3']],
    ['!=1.2.3 !=1.2 !=1', ['not 1.2.3 and not 1.2.* and not 1.*']],
    ['>1.2.3 || >1.2 || >1', ['above 1.2.3', 'from 1.3.0', 'from 2.0.0']],
    [
      '<=1.2.3 || <=1.2 || <=1 || <=*',
      ['up to 1.2.3', 'below 1.3.0', 'below 2.0.0', 'below 0.1.0'],
    ],
    [
      '~1.2.3 || ~1 || ~0.0.0',
      ['from 1.2.3 and before 1.3.0', 'from 1.0.0 and before 2.0.0', 'from 0.0.0'],
    ],
    [
      '^1.2.3 || ^0.2.3 || ^0.0.3',
      ['from 1.2.3 and before 2.0.0', 'from 0.2.3 and before 0.3.0', 'from 0.0.3 and before 0.0.4'],
    ],
    [
      '^0 || ^0.0 || ^*',
      ['from 0.0.0 and before 1.0.0', 'from 0.0.0 and before 0.1.0', 'from 0.0.0 and before 0.0.1'],
    ],
    ['^9007199254740993', ['from 9007199254740993.0.0 and before 9007199254740994.0.0']],
  ];
  for (const [range, words] of v1) {
    it(`OLM v1: ${range}`, () => {
      expect(explainRange(range).masterminds).to.include({ valid: true });
      expect(explainRange(range).masterminds).to.have.deep.property('alternatives', words);
    });
  }

  const classic: [range: string, words: string[]][] = [
    ['>1.0.0 <=2.0.0 !1.5.0', ['above 1.0.0 and up to 2.0.0 and not 1.5.0']],
    ['1.2.x || =3.0.0', ['from 1.2.0 and below 1.3.0', 'exactly 3.0.0']],
    ['1.0.0 - 2.0.0', ['exactly 1.0.0 and exactly 2.0.0']],
  ];
  for (const [range, words] of classic) {
    it(`OLM classic: ${range}`, () => {
      expect(explainRange(range).blang).to.have.deep.property('alternatives', words);
    });
  }

  it('says whether a version matches', () => {
    const { masterminds, blang } = explainRange('<2.0.0', parseVersion('2.0.0-rc.1'));
    expect(masterminds).to.include({ matches: false });
    expect(blang).to.include({ matches: true });
  });
});

describe('disagreements of the dialects', () => {
  const rows: [
    rule: string,
    range: string,
    groups: [matchedBy: 'masterminds' | 'blang', example: string][],
  ][] = [
    ['none', '>=1.0.0-0', []],
    ['pre-releases', '<2.0.0', [['blang', '2.0.0-alpha']]],
    ['hyphen ranges', '1.0.0 - 2.0.0', [['masterminds', '1.0.0']]],
    [
      'x twice',
      '1.x.x',
      [
        ['masterminds', '1.1.0'],
        ['blang', '1.0.1-alpha'],
      ],
    ],
    ['a tilde before a wildcard', '~1.x', [['masterminds', '1.0.1']]],
  ];
  for (const [rule, range, groups] of rows) {
    it(`${rule}: ${range}`, () => {
      const found = explainRange(range).disagreements;
      for (const [matchedBy, example] of groups) {
        const of = found.filter((group) => group.matchedBy === matchedBy);
        expect(of.length, matchedBy).to.be.greaterThan(0);
        const explained = explainRange(range, parseVersion(example));
        expect(explained[matchedBy]).to.include({ matches: true });
      }
      if (groups.length === 0) expect(found).to.deep.equal([]);
    });
  }

  it('shows versions for which the dialects disagree', () => {
    for (const range of ['<2.0.0', '1.x.x', '>1.x', '!=1.2.x', '~1.x', '1.0.0 - 2.0.0']) {
      for (const { matchedBy, examples } of explainRange(range).disagreements) {
        for (const example of examples) {
          const { masterminds, blang } = explainRange(range, parseVersion(example));
          expect(masterminds, `${range} ${example}`).to.include({
            matches: matchedBy === 'masterminds',
          });
          expect(blang, `${range} ${example}`).to.include({ matches: matchedBy === 'blang' });
        }
      }
    }
  });

  it('explains invalid ranges', () => {
    expect(explainRange('^1 || || 2').blang).to.include({ valid: false });
    expect(explainRange('1.0.0 || || 2.0.0').blang)
      .to.have.property('error')
      .that.includes('crashes OLM');
    expect(explainRange('latest').masterminds).to.deep.equal({
      valid: false,
      error: 'improper constraint: "latest"',
    });
  });

  const refusals: [range: string, refusal: string | undefined][] = [
    ['>=1', undefined],
    ['', 'it is empty'],
    ['1 - 2', 'it is a hyphen range; write ">=A, <=B"'],
    ['1.02', 'a number has a leading zero'],
    ['1.*.*', 'there is a "*" where its pattern has none; write "x"'],
    [`1.0.0-${'a'.repeat(60)}`, 'it is longer than 64 characters'],
    ['latest', 'it does not fit the pattern of the field'],
  ];
  for (const [range, refusal] of refusals) {
    it(`the API on ${JSON.stringify(range)}`, () => {
      expect(explainRange(range).api.refusal).to.equal(refusal);
    });
  }
});

describe('ranges that match nothing', () => {
  const rows: [range: string, v1: boolean, classic: boolean][] = [
    ['>=1.0.0 <1.0.0', true, true],
    ['>2.0.0 <1.0.0 || 1.5.0', false, false],
    // Pre-releases of 1.0.1 lie between; OLM v1 takes none in.
    ['>1.0.0 <1.0.1', true, false],
    ['>=1.0.0 <1.0.1', false, false],
    // There are always more pre-releases between two.
    ['>1.0.0-beta <1.0.0-rc', false, false],
    ['>=0.0.0', false, false],
    ['!=1.0.0', false, false],
  ];
  for (const [range, v1, classic] of rows) {
    it(range, () => {
      const { masterminds, blang } = explainRange(range);
      const says = (reading: typeof masterminds): boolean =>
        reading.valid && reading.notes.includes('matches no version at all');
      expect([says(masterminds), says(blang)]).to.deep.equal([v1, classic]);
    });
  }
});
