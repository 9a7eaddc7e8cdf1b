import { expect } from 'chai';
import { entryOf } from '../testing/entry.js';
import type { Bundle, ChannelEntry } from '../catalog.js';
import { type PackageInCatalog, ResolutionError } from './upgrade-path.js';
import { resolveV1, type V1Request } from './resolve-v1.js';

const bundle = (version: string, type = 'olm.package', name = `op.v${version}`): Bundle => ({
  name,
  properties: [
    { type: 'olm.package', value: { packageName: 'op', version } },
    ...(type === 'olm.package' ? [] : [{ type, value: {} }]),
  ],
});
const catalog = (
  more: Partial<PackageInCatalog> & { entries?: ChannelEntry[] } = {},
): PackageInCatalog => ({
  catalog: 'cat',
  priority: 0,
  channels: [{ name: 'stable', entries: more.entries ?? [] }],
  bundles: ['1.0.0', '1.1.0', '2.0.0'].map((version) => bundle(version)),
  deprecatedBundles: new Set(),
  ...more,
});
const resolve = (request: Partial<V1Request>) =>
  resolveV1({ packageName: 'op', catalogs: [catalog()], ...request });
const at = (version: string, release?: string) => ({
  name: `op.v${version}`,
  version,
  release,
});

const chain = [
  entryOf({ name: 'op.v1.0.0' }),
  entryOf({ name: 'op.v1.1.0', replaces: 'op.v1.0.0' }),
  entryOf({ name: 'op.v2.0.0', replaces: 'op.v1.1.0' }),
];
const documentsExample = [
  entryOf({ name: 'op.v3.0.0', skips: ['op.v2.0.0'] }),
  entryOf({ name: 'op.v2.0.0', skipRange: '>=1.0.0 <2.0.0' }),
];

describe('resolution of OLM v1', () => {
  const rows: [rule: string, request: Partial<V1Request>, chosen: string][] = [
    ['the highest version, channels or not', {}, 'op.v2.0.0'],
    ['the highest in the range', { version: '1.x' }, 'op.v1.1.0'],
    [
      'a successor by replaces',
      { catalogs: [catalog({ entries: chain })], installed: at('1.0.0') },
      'op.v1.1.0',
    ],
    [
      'the documented example: a skipped entry is a successor',
      { catalogs: [catalog({ entries: documentsExample })], installed: at('1.0.0') },
      'op.v2.0.0',
    ],
    [
      'staying put by version, whatever the name',
      { installed: { name: 'other', version: '1.1.0' } },
      'op.v1.1.0',
    ],
    [
      'SelfCertified needs no edge',
      { installed: at('1.0.0'), upgradeConstraintPolicy: 'SelfCertified' },
      'op.v2.0.0',
    ],
    [
      'SelfCertified goes back',
      { installed: at('2.0.0'), version: '1.0.0', upgradeConstraintPolicy: 'SelfCertified' },
      'op.v1.0.0',
    ],
    [
      'a deprecated bundle comes last',
      { catalogs: [catalog({ deprecatedBundles: new Set(['op.v2.0.0']) })] },
      'op.v1.1.0',
    ],
    [
      'a version that cannot be read comes last',
      { catalogs: [catalog({ bundles: [bundle('x'), bundle('1.0.0')] })] },
      'op.v1.0.0',
    ],
    [
      'the higher priority',
      { catalogs: [catalog(), catalog({ catalog: 'b', priority: 1, bundles: [bundle('1.0.0')] })] },
      'op.v1.0.0',
    ],
    [
      'deprecation before priority',
      {
        catalogs: [
          catalog(),
          catalog({
            catalog: 'b',
            priority: 1,
            bundles: [bundle('9.0.0')],
            deprecatedBundles: new Set(['op.v9.0.0']),
          }),
        ],
      },
      'op.v2.0.0',
    ],
    [
      'build metadata as a release',
      {
        catalogs: [
          catalog({
            bundles: ['1.0.0', '1.0.0+9', '1.0.0+10', '1.0.0+01'].map((version) => bundle(version)),
          }),
        ],
      },
      'op.v1.0.0+10',
    ],
  ];
  for (const [rule, request, chosen] of rows) {
    it(rule, () => {
      expect(resolve(request).chosen.name).to.equal(chosen);
    });
  }

  it('says by which edge, and what else there was', () => {
    const { chosen, stays, passedOver } = resolve({
      catalogs: [
        catalog({ entries: [...chain, entryOf({ name: 'op.v1.1.0', skipRange: '<1.1.0' })] }),
      ],
      installed: at('1.0.0'),
    });
    expect(chosen.edges).to.deep.equal([
      { kind: 'replaces', channel: 'stable' },
      { kind: 'skipRange', channel: 'stable', range: '<1.1.0' },
    ]);
    expect(stays).to.equal(false);
    expect(passedOver.map(({ name }) => name)).to.deep.equal(['op.v1.0.0']);
  });

  const refused: [rule: string, request: Partial<V1Request>, message: string][] = [
    [
      'a bad range',
      { version: 'latest' },
      'desired version range "latest" is invalid: improper constraint: "latest"',
    ],
    ['no catalog', { catalogs: [] }, 'no bundles found for package "op"'],
    [
      'nothing that satisfies range and channel, though what is installed is fine',
      { installed: at('1.0.0'), version: '>=3', channels: ['stable', 'fast'] },
      'error upgrading from currently installed version "1.0.0": no bundles found for package "op" matching version ">=3" in channels [stable fast]',
    ],
    [
      'a pinned channel without the edge',
      {
        catalogs: [
          catalog({
            channels: [
              { name: 'a', entries: [entryOf({ name: 'op.v2.0.0' })] },
              { name: 'b', entries: chain },
            ],
          }),
        ],
        installed: at('1.1.0'),
        channels: ['a'],
      },
      'error upgrading from currently installed version "1.1.0": no bundles found for package "op" in channels [a]',
    ],
    [
      'a tie of catalogs',
      { catalogs: [catalog({ catalog: 'b' }), catalog({ catalog: 'a' })] },
      'found bundles for package "op" in multiple catalogs with the same priority [a b]',
    ],
    [
      'a dependency',
      { catalogs: [catalog({ bundles: [bundle('1.0.0', 'olm.constraint')] })] },
      'validating bundle "op.v1.0.0": bundle "op.v1.0.0" has a dependency declared via property "olm.constraint" which is currently not supported',
    ],
    [
      'a bad installed version',
      { installed: at('1.0') },
      'error walking catalogs: error finding upgrade edges: failed to get version and release of installed bundle: No Major.Minor.Patch elements found',
    ],
    [
      'a bad installed release',
      { installed: at('1.0.0', 'a..01') },
      'error walking catalogs: error finding upgrade edges: failed to parse installed bundle version and release: error parsing release "a..01": invalid release "a..01": segment 1: Prerelease is empty\nsegment 2: Numeric PreRelease version must not contain leading zeroes "01"',
    ],
    [
      'only a version that cannot be read',
      { catalogs: [catalog({ bundles: [bundle('x')] })] },
      'error getting resolved bundle version for bundle "op.vx": No Major.Minor.Patch elements found',
    ],
    [
      'a bundle without olm.package',
      { catalogs: [catalog({ bundles: [{ name: 'b', properties: [] }] })] },
      'error getting resolved bundle version for bundle "b": no package property found in bundle "b"',
    ],
    [
      'a version that is a number',
      {
        catalogs: [
          catalog({
            bundles: [{ name: 'b', properties: [{ type: 'olm.package', value: { Version: 1 } }] }],
          }),
        ],
      },
      'error getting resolved bundle version for bundle "b": error unmarshalling package property: json: cannot unmarshal number into Go struct field Package.version of type string',
    ],
  ];
  for (const [rule, request, message] of refused) {
    it(`refuses ${rule}`, () => {
      expect(() => resolve(request))
        .to.throw(ResolutionError)
        .with.property('message', message);
    });
  }

  it('takes an explicit release only when the feature is on', () => {
    const explicit = (version: string, release: string) => ({
      name: `op.v${version}-${release}`,
      properties: [{ type: 'olm.package', value: { packageName: 'op', version, release } }],
    });
    const catalogs = [catalog({ bundles: [explicit('1.0.0+5', '2'), explicit('1.0.0+1', '10')] })];
    expect(resolve({ catalogs }).chosen.name).to.equal('op.v1.0.0+5-2');
    expect(resolve({ catalogs, bundleReleaseSupport: true }).chosen.name).to.equal(
      'op.v1.0.0+1-10',
    );
  });
});
