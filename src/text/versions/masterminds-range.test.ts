import { expect } from 'chai';
import { InvalidVersionError, parseVersion } from './version.js';
import { parseMastermindsRange } from './masterminds-range.js';

const versions = [
  '0.0.0',
  '0.0.1',
  '0.0.3',
  '0.0.4',
  '0.1.0',
  '0.2.0',
  '0.2.3',
  '0.2.4',
  '0.3.0',
  '0.9.9',
  '1.0.0',
  '1.2.0',
  '1.2.3',
  '1.10.9',
  '1.11.0',
  '1.11.7',
  '1.12.0',
  '1.12.4',
  '1.13.0',
  '2.0.0',
  '2.3.0',
  '2.9.9',
  '3.0.0',
  '11.0.0',
  '12.0.0',
  '1.11.0-rc.1',
  '2.0.0-alpha',
  '1.2.3+build',
].map(parseVersion);

describe('Masterminds ranges: the documented tables', () => {
  const rows: [table: string, range: string, same: string][] = [
    ['example', '>=1.11, <1.13', '>=1.11.0, <1.13.0'],
    ['table 2', '1.11.x', '>=1.11.0, <1.12.0'],
    ['table 2', '>=1.12.X', '>=1.12.0'],
    ['table 2', '<=2.x', '<3'],
    ['table 2', '*', '>=0.0.0'],
    ['table 3', '~1.11.0', '>=1.11.0, <1.12.0'],
    ['table 3', '~1', '>=1, <2'],
    ['table 3', '~1.12', '>=1.12, <1.13'],
    ['table 3', '~1.12.x', '>=1.12.0, <1.13.0'],
    ['table 3', '~1.x', '>=1, <2'],
    ['table 4', '^0', '>=0.0.0, <1.0.0'],
    ['table 4', '^0.0', '>=0.0.0, <0.1.0'],
    ['table 4', '^0.0.3', '>=0.0.3, <0.0.4'],
    ['table 4', '^0.2', '>=0.2.0, <0.3.0'],
    ['table 4', '^0.2.3', '>=0.2.3, <0.3.0'],
    ['table 4', '^1.2.x', '>= 1.2.0, < 2.0.0'],
    ['table 4', '^1.2.3', '>= 1.2.3, < 2.0.0'],
    ['table 4', '^2.x', '>= 2.0.0, < 3'],
    ['table 4', '^2.3', '>= 2.3, < 3'],
  ];
  for (const [table, range, same] of rows) {
    it(`${table}: ${range} matches as ${same} does`, () => {
      const matched = versions.filter(parseMastermindsRange(range));
      expect(matched).to.deep.equal(versions.filter(parseMastermindsRange(same)));
      expect(matched).not.to.deep.equal([]);
    });
  }

  const table1: [operator: string, below: boolean, equal: boolean, above: boolean][] = [
    ['=', false, true, false],
    ['!=', true, false, true],
    ['>', false, false, true],
    ['<', true, false, false],
    ['>=', false, true, true],
    ['<=', true, true, false],
  ];
  for (const [operator, ...expected] of table1) {
    it(`table 1: ${operator}`, () => {
      const matches = parseMastermindsRange(`${operator}1.12.4`);
      expect(
        ['1.12.3', '1.12.4', '1.13.0'].map((text) => matches(parseVersion(text))),
      ).to.deep.equal(expected);
    });
  }
});

describe('Masterminds ranges', () => {
  const rows: [rule: string, range: string, inside: string[], outside: string[]][] = [
    ['AND by a blank', '>=1.0.0 <2.0.0', ['1.5.0'], ['2.0.0', '0.9.0']],
    ['OR', '^0 || ^3 || ^5', ['0.5.0', '3.1.0', '5.9.9'], ['1.0.0', '4.0.0']],
    ['OR without blanks', '1.0.0||2.0.0', ['1.0.0', '2.0.0'], ['1.5.0']],
    ['hyphen', '1.2 - 1.4.5', ['1.2.0', '1.4.5'], ['1.4.6', '1.1.9']],
    ['=> and =<', '=>1.0.0, =<2.0.0', ['1.0.0', '2.0.0'], ['2.0.1']],
    ['~>', '~>1.2.3', ['1.2.9'], ['1.3.0']],
    ['no pre-releases unless one is named', '>=1.0.0', ['1.0.1'], ['1.0.1-rc.1']],
    [
      'one named pre-release admits all in its AND group',
      '>=1.0.0-0, <3.0.0',
      ['2.0.0-alpha'],
      ['3.0.0'],
    ],
    ['and only in its own group', '>=1.0.0-0 <2.0.0 || >=3.0.0', ['1.5.0-a'], ['3.5.0-a']],
    ['build metadata does not count', '=1.0.0+1', ['1.0.0', '1.0.0+2'], ['1.0.1']],
    ['leading v and zeros', 'v01.002.3', ['1.2.3'], ['1.2.4']],
    ['>11 is 12 and later', '>11', ['12.0.0'], ['11.1.0']],
    ['>11.1 is 11.2 and later', '>11.1', ['11.2.0'], ['11.1.9']],
    ['^* is 0.0.0 only', '^*', ['0.0.0'], ['0.0.1', '1.0.0']],
    ['<=* is 0.0.* only', '<=*', ['0.0.9'], ['0.1.0', '1.0.0']],
    ['>* is all but 0.0.0', '>*', ['0.0.1'], ['0.0.0']],
    ['!=* is all but 0.0.0', '!=*', ['0.0.1'], ['0.0.0']],
    ['~0.0.0 is anything', '~0.0.0', ['0.0.0', '9.9.9'], []],
    ['!=1.x', '!=1.x', ['2.0.0'], ['1.0.0', '1.9.9']],
    ['!=1.2.x with a pre-release', '!=1.2.x-a', ['1.2.0', '1.2.0-b'], ['1.2.0-a']],
    ['64 bits', '=9007199254740993.0.0', ['9007199254740993.0.0'], ['9007199254740992.0.0']],
    ['a part behind a wildcard does not count', '1.x.5', ['1.0.0'], ['2.0.5']],
  ];
  for (const [rule, range, inside, outside] of rows) {
    it(`${rule}: ${range}`, () => {
      const matches = parseMastermindsRange(range);
      expect(inside.filter((version) => !matches(parseVersion(version)))).to.deep.equal([]);
      expect(outside.filter((version) => matches(parseVersion(version)))).to.deep.equal([]);
    });
  }

  const refused: [rule: string, range: string, message: string][] = [
    ['nothing', '', 'improper constraint: ""'],
    ['an empty alternative', '1.2 ||', 'improper constraint: ""'],
    ['two signs', '==1', 'improper constraint: "==1"'],
    ['a hyphen range behind an operator', '>=1 - 2', 'improper constraint: ">=>= 1, <= 2 "'],
    ['two commas', '1,,2', 'improper constraint: "1,,2"'],
    ['a comma at the end', '1,', 'improper constraint: "1,"'],
    ['no version', '>=1 <', 'improper constraint: ">=1 <"'],
    ['one bar', '1|2', 'constraint parser error'],
    ['past 64 bits', '18446744073709551616', 'constraint parser error'],
    ['zero before a numeric pre-release', '1.0.0-01', 'constraint parser error'],
    ['over 512 bytes', `1${' '.repeat(512)}`, 'constraint string is too long (max 512 bytes)'],
    ['over 32 alternatives', Array(33).fill('1').join('||'), 'too many constraint groups (max 32)'],
    ['over 256 bytes in one version', `1.2.3-${'a'.repeat(251)}`, 'constraint parser error'],
  ];
  for (const [rule, range, message] of refused) {
    it(`refuses ${rule}`, () => {
      expect(() => parseMastermindsRange(range))
        .to.throw(InvalidVersionError)
        .with.property('message', message);
    });
  }

  it('answers at once where the library’s pattern would backtrack', () => {
    expect(() => parseMastermindsRange(`${'1  '.repeat(170)}!`)).to.throw(InvalidVersionError);
  });
});
