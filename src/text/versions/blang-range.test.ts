import { expect } from 'chai';
import { parseBlangRange } from './blang-range.js';
import { InvalidVersionError, parseVersion } from './version.js';

describe('blang ranges', () => {
  const rows: [rule: string, range: string, inside: string[], outside: string[]][] = [
    ['AND', '>=1.0.0 <2.0.0', ['1.0.0', '1.9.9', '2.0.0-alpha'], ['0.9.9', '2.0.0', '1.0.0-rc.1']],
    ['OR', '<1.0.0 || >=2.0.0', ['0.1.0', '2.0.0'], ['1.0.0']],
    ['blank after an operator', '>= 1.0.0 < 2.0.0', ['1.5.0'], ['2.0.0']],
    ['!', '!1.0.0', ['1.0.1'], ['1.0.0', '1.0.0+build']],
    ['==', '==1.0.0', ['1.0.0'], ['1.0.1']],
    ['patch wildcard', '1.2.x', ['1.2.0', '1.2.9', '1.3.0-a'], ['1.3.0', '1.1.9']],
    ['minor wildcard', '1.x', ['1.0.0', '1.9.0'], ['2.0.0']],
    ['1.x.x is 1.0.x', '1.x.x', ['1.0.5'], ['1.1.0']],
    ['> of a wildcard', '>1.2.x', ['1.3.0'], ['1.2.9']],
    ['<= of a wildcard', '<=1.2.x', ['1.2.9'], ['1.3.0']],
    ['!= of a wildcard holds for nothing', '!=1.2.x', [], ['1.1.0', '1.2.0', '1.3.0']],
    ['single characters vanish', '1.0.0 - 2.0.0', [], ['1.0.0', '1.5.0', '2.0.0']],
    ['a lone x vanishes', '>=1.0.0 x', ['1.5.0'], ['0.9.0']],
    ['x in a pre-release below', '<1.0.0-next', ['0.9.0'], ['1.0.0']],
    ['unknown operator before a wildcard means the floor', '~1.x', ['1.0.0'], ['1.1.0']],
    ['a sign counts', '>1.-1.x', ['1.0.0'], ['0.9.0']],
    ['an empty alternative not reached', '1.0.0 || || 2.0.0', ['1.0.0'], []],
  ];
  for (const [rule, range, inside, outside] of rows) {
    it(`${rule}: ${range}`, () => {
      const matches = parseBlangRange(range);
      expect(inside.filter((version) => !matches(parseVersion(version)))).to.deep.equal([]);
      expect(outside.filter((version) => matches(parseVersion(version)))).to.deep.equal([]);
    });
  }

  const refused: [range: string, message: string][] = [
    ['', "Last element in range is '||'"],
    ['|| 1.0.0', "First element in range is '||'"],
    ['1.0.0 ||', "Last element in range is '||'"],
    ['^1.0.0', 'Could not parse Range "^1.0.0": Could not parse comparator "^" in "^1.0.0"'],
    [
      '>=1.0.0, <2.0.0',
      'Could not parse Range ">=1.0.0,": Could not parse version "1.0.0," in ">=1.0.0,": Invalid character(s) found in patch number "0,"',
    ],
    [
      '1.2',
      'Could not parse Range "1.2": Could not parse version "1.2" in "1.2": No Major.Minor.Patch elements found',
    ],
    ['<=1.0.0-next', 'Could not get version from string: "<"'],
    ['1.9223372036854775808.x', 'Could not get version from string: "<"'],
    ['foo', 'Could not get version from string: "foo"'],
  ];
  for (const [range, message] of refused) {
    it(`refuses ${JSON.stringify(range)}`, () => {
      expect(() => parseBlangRange(range))
        .to.throw(InvalidVersionError)
        .with.property('message', message);
    });
  }

  it('refuses to judge by an empty alternative, where the library crashes', () => {
    const matches = parseBlangRange('1.0.0 || || 2.0.0');
    expect(() => matches(parseVersion('2.0.0'))).to.throw(InvalidVersionError, 'nothing between');
  });
});
