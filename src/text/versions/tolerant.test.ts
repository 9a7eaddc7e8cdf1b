import { expect } from 'chai';
import { InvalidVersionError, parseTolerantVersion, formatVersion } from './version.js';

describe('careless versions', () => {
  const read: [rule: string, text: string, version: string][] = [
    ['short', '4', '4.0.0'],
    ['a prefix and blanks', ' v4.18 ', '4.18.0'],
    ['leading zeros', '04.00.01', '4.0.1'],
    ['pre-release of a whole version', '4.18.0-rc.1', '4.18.0-rc.1'],
  ];
  for (const [rule, text, version] of read) {
    it(`reads ${rule}`, () => {
      expect(formatVersion(parseTolerantVersion(text))).to.equal(version);
    });
  }
  const refused: [rule: string, text: string, message: string][] = [
    [
      'pre-release of a short version',
      '4.18-rc1',
      'Short version cannot contain PreRelease/Build meta data',
    ],
    [
      'letters, quoted with the zero put before',
      'abc.1',
      'Invalid character(s) found in major number "0abc"',
    ],
    ['nothing', '', 'strconv.ParseUint: parsing "": invalid syntax'],
  ];
  for (const [rule, text, message] of refused) {
    it(`refuses ${rule}`, () => {
      expect(() => parseTolerantVersion(text))
        .to.throw(InvalidVersionError)
        .with.property('message', message);
    });
  }
});
