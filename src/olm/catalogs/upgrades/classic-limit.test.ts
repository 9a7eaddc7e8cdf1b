import { expect } from 'chai';
import { formatVersion, parseVersion } from '../../../text/versions/index.js';
import { classicLimit, isBelowNextMinor } from './open-shift-limit.js';

const limitOf = (value: string): string => {
  const limit = classicLimit(`[{"type":"olm.maxOpenShiftVersion","value":${value}}]`);
  if (limit.kind === 'limit') return formatVersion(limit.version);
  return limit.kind === 'none' ? 'none' : limit.problem;
};

describe('the limit of an operator of OLM classic', () => {
  const rows: [value: string, expected: string | RegExp][] = [
    ['"4.18"', '4.18.0'],
    ['"4.18.0"', '4.18.0'],
    ['4.20', '4.20.0'],
    ['"v4.18"', '4.18.0'],
    ['"4.18.1"', /must specify only <major>\.<minor> version, got invalid value 4\.18\.1$/],
    ['"4.18.0-rc.1"', /must specify only/],
    ['""', 'value cannot be "" (an empty string)'],
    ['"<cluster_version>"', /^failed to parse "<cluster_version>" as semver: /],
    ['true', /^failed to parse "true" as semver: /],
  ];
  for (const [value, expected] of rows) {
    it(value, () => {
      if (typeof expected === 'string') expect(limitOf(value)).to.equal(expected);
      else expect(limitOf(value)).to.match(expected);
    });
  }

  it('is none without the property, and unreadable with two or with no list', () => {
    expect(classicLimit('[]').kind).to.equal('none');
    const one = '{"type":"olm.maxOpenShiftVersion","value":"4.18"}';
    for (const text of [`[${one},${one}]`, '{}', '[']) {
      expect(classicLimit(text).kind, text).to.equal('unreadable');
    }
  });

  const blocked: [limit: string, cluster: string, blocks: boolean][] = [
    ['4.18.0', '4.18.3', true],
    ['4.19.0', '4.18.3', false],
    ['4.22.0', '4.22.1', true],
    ['4.23.0', '4.22.1', false],
    ['5.0.0', '4.23.0', true],
    ['4.23.0', '5.0.0', true],
    ['5.1.0', '4.23.0', false],
  ];
  for (const [limit, cluster, blocks] of blocked) {
    it(`${limit} ${blocks ? 'keeps' : 'lets go'} a cluster of ${cluster}`, () => {
      expect(isBelowNextMinor(parseVersion(limit), parseVersion(cluster))).to.equal(blocks);
    });
  }
});
