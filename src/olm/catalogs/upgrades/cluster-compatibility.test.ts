import { expect } from 'chai';
import { clusterCompatibility } from './open-shift-limit.js';

const maximum = (value: string): string => `[{"type":"olm.maxOpenShiftVersion","value":${value}}]`;

describe('cluster compatibility', () => {
  const rows: [rule: string, cluster: string, value: string, nextMinor: string, blocks: boolean][] =
    [
      ['equal blocks', '4.18.0', '"4.18"', '4.19', true],
      ['higher does not', '4.18.0', '"4.19"', '4.19', false],
      ['z-stream and pre-release do not count', '4.18.9-rc1', '"4.18"', '4.19', true],
      ['4.20 as a number is not 4.2', '4.18.0', '4.20', '4.19', false],
      ['4.2 is', '4.18.0', '4.2', '4.19', true],
      ['4.23 is 5.0', '4.23.1', '"5.0"', '5.1', true],
      ['and 5.1 follows it', '4.23.1', '5.1', '5.1', false],
      ['careless text', '4.18.0', '" 4.019 "', '4.19', false],
    ];
  for (const [rule, cluster, value, nextMinor, blocksUpgrade] of rows) {
    it(rule, () => {
      expect(clusterCompatibility(cluster, maximum(value))).to.include({
        nextMinor,
        blocksUpgrade,
      });
    });
  }

  const problems: [rule: string, properties: string, error: string][] = [
    [
      'a patch number',
      maximum('"4.18.0"'),
      'error converting to semver for version "4.18.0": invalid version format',
    ],
    [
      'an integer',
      maximum('4'),
      'error converting to semver for version 4: invalid semver format "4": expected <major>.<minor>',
    ],
    [
      'null',
      maximum('null'),
      'error converting to semver for version null: invalid type <nil> for olm.maxOpenshiftVersion: null',
    ],
    [
      'a list, as it is written',
      maximum('[ 4 ]'),
      'error converting to semver for version [ 4 ]: invalid type []interface {} for olm.maxOpenshiftVersion: [ 4 ]',
    ],
    [
      'past a double',
      maximum('1e400'),
      'error converting to semver for version 1e400: json: cannot unmarshal number 1e400 into Go value of type float64',
    ],
    [
      'no value',
      '[{"type":"olm.maxOpenShiftVersion"}]',
      'error converting to semver for version : unexpected end of JSON input',
    ],
    [
      'no JSON',
      'oops',
      "failed to unmarshal properties annotation: invalid character 'o' looking for beginning of value",
    ],
    [
      'no list',
      '{}',
      'failed to unmarshal properties annotation: json: cannot unmarshal object into Go value of type []property.Property',
    ],
    [
      'a type that is no text',
      '[{"type":1}]',
      'failed to unmarshal properties annotation: json: cannot unmarshal number into Go struct field Property.type of type string',
    ],
  ];
  for (const [rule, properties, error] of problems) {
    it(`reports ${rule}`, () => {
      expect(clusterCompatibility('4.18.0', properties)).to.deep.equal({
        nextMinor: '4.19',
        errors: [error],
      });
    });
  }

  it('reports a duplicate property', () => {
    const twice =
      '[{"type":"olm.maxOpenShiftVersion","value":"4.18"},{"Type":"olm.maxOpenShiftVersion","value":"4.19"}]';
    expect(clusterCompatibility('4.18.0', twice)).to.deep.equal({
      nextMinor: '4.19',
      errors: ['more than one olm.maxOpenShiftVersion found in bundle'],
    });
  });
  it('reports a cluster version it cannot read', () => {
    expect(clusterCompatibility('4.18', '[]')).to.deep.equal({
      clusterError: 'No Major.Minor.Patch elements found',
    });
  });
  it('does not block without the property', () => {
    expect(clusterCompatibility('4.18.0', 'null')).to.deep.equal({
      nextMinor: '4.19',
      blocksUpgrade: false,
    });
  });
});
