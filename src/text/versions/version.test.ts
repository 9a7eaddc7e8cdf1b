import { expect } from 'chai';
import { InvalidVersionError, compareVersions, formatVersion, parseVersion } from './version.js';

describe('versions', () => {
  const refused: [rule: string, text: string, message: string][] = [
    ['empty', '', 'Version string empty'],
    ['short', '1.2', 'No Major.Minor.Patch elements found'],
    ['prefix', 'v1.2.3', 'Invalid character(s) found in major number "v1"'],
    ['blank', '1. 2.3', 'Invalid character(s) found in minor number " 2"'],
    ['leading zero', '1.02.3', 'Minor number must not contain leading zeroes "02"'],
    ['leading zero of a patch', '1.2.03-a', 'Patch number must not contain leading zeroes "03"'],
    ['a part missing', '1..3', 'strconv.ParseUint: parsing "": invalid syntax'],
    ['no pre-release', '1.2.3-', 'Prerelease is empty'],
    ['odd pre-release', '1.2.3-a_b', 'Invalid character(s) found in prerelease "a_b"'],
    [
      'zero before a numeric pre-release',
      '1.2.3-00',
      'Numeric PreRelease version must not contain leading zeroes "00"',
    ],
    ['no build', '1.2.3+', 'Build meta data is empty'],
    ['second plus', '1.2.3+a+b', 'Invalid character(s) found in build meta data "a+b"'],
    [
      'past 64 bits',
      '1.2.18446744073709551616',
      'strconv.ParseUint: parsing "18446744073709551616": value out of range',
    ],
    ['major before minor', 'a.b.c', 'Invalid character(s) found in major number "a"'],
    ['unprintable', '1.2.3\u0001', 'Invalid character(s) found in patch number "3\\x01"'],
  ];
  for (const [rule, text, message] of refused) {
    it(`refuses ${rule}`, () => {
      expect(() => parseVersion(text))
        .to.throw(InvalidVersionError, message)
        .with.property('message', message);
    });
  }

  const rising = [
    '0.0.1',
    '1.0.0-0',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-9007199254740993',
    '1.0.0-18446744073709551615',
    '1.0.0--',
    '1.0.0-A',
    '1.0.0-a',
    '1.0.0-a.1',
    '1.0.0-a.a',
    '1.0.0',
    '1.0.9007199254740992',
    '1.0.9007199254740993',
    '18446744073709551615.0.0',
  ].map(parseVersion);
  it('orders as SemVer 2.0.0 says, in 64 bits', () => {
    for (const [i, a] of rising.entries()) {
      for (const [j, b] of rising.entries()) {
        expect(compareVersions(a, b), `${formatVersion(a)} and ${formatVersion(b)}`).to.equal(
          Math.sign(i - j),
        );
      }
    }
  });
  it('ignores build metadata in the order and prints it', () => {
    expect(compareVersions(parseVersion('1.0.0+a'), parseVersion('1.0.0+b'))).to.equal(0);
    expect(formatVersion(parseVersion('1.0.0-rc.1+a.01'))).to.equal('1.0.0-rc.1+a.01');
  });
});
