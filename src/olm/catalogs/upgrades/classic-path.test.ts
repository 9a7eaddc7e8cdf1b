import { expect } from 'chai';
import { entryOf } from '../testing/entry.js';
import { type VersionedEntry, classicPath } from './classic-path.js';

const entry = (version: string, more: Partial<VersionedEntry> = {}): VersionedEntry =>
  entryOf({ name: `op.v${version}`, version, ...more });
const path = (entries: readonly VersionedEntry[], installed?: string) =>
  classicPath({
    packageName: 'op',
    channel: 'stable',
    channels: [{ name: 'stable', entries }],
    ...(installed === undefined
      ? {}
      : { installed: { name: `op.v${installed}`, version: installed } }),
  });

const chain = [
  entry('1.0.0'),
  entry('1.1.0', { replaces: 'op.v1.0.0' }),
  entry('1.2.0', { replaces: 'op.v1.1.0' }),
];

describe('paths of OLM classic', () => {
  const rows: [
    rule: string,
    entries: VersionedEntry[],
    installed: string | undefined,
    to: string[],
  ][] = [
    ['one replaces at a time', chain, '1.0.0', ['1.1.0', '1.2.0']],
    ['the head when nothing is installed', chain, undefined, ['1.2.0']],
    ['nothing for what no entry replaces', chain, '0.9.0', []],
    ['nothing at the head', chain, '1.2.0', []],
    [
      'skips leads over a bad version',
      [
        entry('0.9.0'),
        entry('0.9.1', { replaces: 'op.v0.9.0' }),
        entry('0.9.2', { replaces: 'op.v0.9.0', skips: ['op.v0.9.1'] }),
      ],
      '0.9.0',
      ['0.9.2'],
    ],
    [
      'skips leads away from a version that is no longer listed',
      [entry('0.9.0'), entry('0.9.2', { replaces: 'op.v0.9.0', skips: ['op.v0.9.1'] })],
      '0.9.1',
      ['0.9.2'],
    ],
    [
      'skipRange of the head goes before replaces',
      [...chain, entry('2.0.0', { replaces: 'op.v1.2.0', skipRange: '>=1.0.0 <2.0.0' })],
      '1.0.0',
      ['2.0.0'],
    ],
    [
      'skipRange works on any entry of the chain',
      [
        entry('1.0.0'),
        entry('1.1.0', { replaces: 'op.v1.0.0', skipRange: '<1.1.0' }),
        entry('1.2.0', { replaces: 'op.v1.1.0' }),
      ],
      '0.1.0',
      ['1.1.0', '1.2.0'],
    ],
    [
      'not on a skipped entry, which is never a target',
      [entry('3.0.0', { skips: ['op.v2.0.0'] }), entry('2.0.0', { skipRange: '>=1.0.0 <2.0.0' })],
      '1.0.0',
      [],
    ],
    [
      'a range that cannot be parsed makes no edge',
      [entry('1.0.0', { skipRange: '^0.9' })],
      '0.9.0',
      [],
    ],
  ];
  for (const [rule, entries, installed, to] of rows) {
    it(rule, () => {
      const { steps, loops, error } = path(entries, installed);
      expect({ to: steps.map((step) => step.to), loops, error }).to.deep.equal({
        to: to.map((version) => `op.v${version}`),
        loops: false,
        error: undefined,
      });
    });
  }

  it('says why, and what is passed over', () => {
    const { steps } = path(
      [...chain, entry('2.0.0', { replaces: 'op.v1.2.0', skipRange: '<2.0.0' })],
      '1.0.0',
    );
    expect(steps).to.deep.equal([
      {
        from: 'op.v1.0.0',
        to: 'op.v2.0.0',
        channel: 'stable',
        edges: [{ kind: 'skipRange', channel: 'stable', range: '<2.0.0' }],
        passedOver: ['op.v1.2.0', 'op.v1.1.0'],
      },
    ]);
  });

  it('an empty channel beside others is named, and what is skipped is no first install', () => {
    const request = { packageName: 'op', channel: 'old', installed: { name: 'op.v1.0.0' } };
    const channels = [
      { name: 'stable', entries: chain },
      { name: 'old', entries: [] },
    ];
    expect(classicPath({ ...request, channels }).error).to.include('in channel old of package op');
    const withdrawn = entry('1.1.0', { skips: ['op.v1.0.0', 'op.v1.1.0'] });
    expect(path([entry('1.0.0'), withdrawn, entry('1.0.0')]).error).to.equal(
      'constraints not satisfiable: no operators found matching the criteria of subscription sub, subscription sub exists',
    );
  });

  it('reads the version of what is installed as carelessly as OLM does', () => {
    const entries = [entry('1.0.0'), entry('2.0.0', { skipRange: '>=1.0.0 <2.0.0', replaces: 'op.v1.0.0' })]; // prettier-ignore
    const installed = (version: string): unknown =>
      classicPath({
        packageName: 'op',
        channel: 'stable',
        channels: [{ name: 'stable', entries }],
        installed: { name: 'mine', version },
      }).steps.map(({ to }) => to);
    expect(installed('v1.1')).to.deep.equal(['op.v2.0.0']);
    expect(installed('one')).to.deep.equal([]);
  });

  it('stops when a range covers its own version', () => {
    const { steps, loops } = path([entry('1.0.0', { skipRange: '<=1.0.0' })], '0.5.0');
    expect(steps.map(({ to }) => to)).to.deep.equal(['op.v1.0.0', 'op.v1.0.0']);
    expect(loops).to.equal(true);
  });

  const broken: [rule: string, entries: VersionedEntry[], error: string][] = [
    [
      'two heads',
      [entry('1.0.0'), entry('1.1.0')],
      '2 replacement chains were found in channel "stable" of package "op": op.v1.0.0, op.v1.1.0',
    ],
    ['a stranded chain', [...chain, entry('3.0.0')], 'op.v1.2.0...op.v1.0.0, op.v3.0.0'],
    [
      'no head',
      [entry('1.0.0', { replaces: 'op.v1.1.0' }), entry('1.1.0', { replaces: 'op.v1.0.0' })],
      'no channel heads',
    ],
    [
      'a cycle below the head',
      [
        entry('1.2.0', { replaces: 'op.v1.1.0' }),
        entry('1.1.0', { replaces: 'op.v1.0.0' }),
        entry('1.0.0', { replaces: 'op.v1.1.0' }),
      ],
      'a cycle exists in the chain of replacement beginning with "op.v1.2.0"',
    ],
    ['no entries', [], 'no operators found in package op in the catalog'],
    [
      'an entry listed twice',
      [entry('1.1.0', { replaces: 'op.v1.1.0' }), entry('1.1.0', { skipRange: '<1.1.0' })],
      'expected exactly one operator, got 2',
    ],
    [
      'a range on which OLM crashes',
      [entry('1.0.0', { skipRange: '0.1.0 || || 0.2.0' })],
      'skipRange of entry "op.v1.0.0"',
    ],
  ];
  for (const [rule, entries, error] of broken) {
    it(`answers for a channel with ${rule}`, () => {
      const result = path(entries, '0.5.0');
      expect(result.steps).to.deep.equal([]);
      expect(result.error).to.include(error);
    });
  }
});
