import { expect } from 'chai';
import type { Catalog } from '../../catalogs/catalog.js';
import { loadCatalog } from '../../catalogs/load.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { diffCatalogs } from './catalog-diff.js';
import type { CrdQuestion } from './crd-edges.js';

type Entry = string | { name: string; replaces?: string; skips?: string[]; skipRange?: string };

interface Sketch {
  readonly defaultChannel?: string;
  readonly channels: Readonly<Record<string, readonly Entry[]>>;
  readonly images?: Readonly<Record<string, string>>;
  readonly properties?: Readonly<Record<string, readonly object[]>>;
  readonly deprecated?: readonly string[];
  /** Entries without a bundle. */
  readonly without?: readonly string[];
}

/** Entries are versions; each is package `op` at that version. */
function catalogOf(sketch: Sketch): Catalog {
  const full = (name: string): string => `op.v${name}`;
  const channels = Object.entries(sketch.channels).map(([name, entries]) => ({
    schema: 'olm.channel',
    package: 'op',
    name,
    entries: entries
      .map((entry) => (typeof entry === 'string' ? { name: entry } : entry))
      .map((entry) => ({
        ...entry,
        name: full(entry.name),
        ...(entry.replaces !== undefined && { replaces: full(entry.replaces) }),
        ...(entry.skips !== undefined && { skips: entry.skips.map(full) }),
      })),
  }));
  const names = new Set(channels.flatMap(({ entries }) => entries.map(({ name }) => name)));
  const versions = [...names]
    .map((name) => name.replace('op.v', ''))
    .filter((version) => !sketch.without?.includes(version));
  const objects = [
    { schema: 'olm.package', name: 'op', defaultChannel: sketch.defaultChannel ?? 'stable' },
    ...channels,
    ...versions.map((version) => ({
      schema: 'olm.bundle',
      package: 'op',
      name: full(version),
      image: sketch.images?.[version] ?? `example.com/op:${version}`,
      properties: [
        { type: 'olm.package', value: { packageName: 'op', version } },
        ...(sketch.properties?.[version] ?? []),
      ],
    })),
    ...(sketch.deprecated === undefined
      ? []
      : [
          {
            schema: 'olm.deprecations',
            package: 'op',
            entries: sketch.deprecated.map((version) => ({
              reference: { schema: 'olm.bundle', name: full(version) },
              message: 'old',
            })),
          },
        ]),
  ];
  const content = objects.map((object) => JSON.stringify(object)).join('\n');
  const { catalog, error } = loadCatalog([{ path: 'op.json', content }]);
  if (error !== undefined) throw error;
  return catalog;
}

type Said = [rule: string, severity: string, words: { id: string; data: object }];

const findingsOf = (old: Sketch, now: Sketch, crds?: CrdQuestion): Said[] =>
  diffCatalogs(catalogOf(old), catalogOf(now), crds).flatMap(({ findings }) =>
    findings.map(({ rule, severity, id = '', data = {} }): Said => [rule, severity, { id, data }]),
  );

const chain: Sketch = {
  channels: { stable: [{ name: '1.1.0', replaces: '1.0.0' }, { name: '1.0.0' }] },
};
const next = (...entries: Entry[]): Sketch => ({ channels: { stable: entries } });

describe('catalog diff', () => {
  const rows: [rule: string, old: Sketch, now: Sketch, expected: Said[]][] = [
    ['nothing changes', chain, chain, []],
    [
      'a new head on top',
      chain,
      next({ name: '1.2.0', replaces: '1.1.0' }, { name: '1.1.0', replaces: '1.0.0' }, '1.0.0'),
      [
        [
          'CatalogHeadChanged',
          'info',
          { id: 'forward', data: { channel: 'stable', from: 'op.v1.1.0', to: 'op.v1.2.0' } },
        ],
      ],
    ],
    [
      'the head goes back',
      chain,
      next('1.0.0'),
      [
        [
          'CatalogHeadChanged',
          'warning',
          { id: 'back', data: { channel: 'stable', from: 'op.v1.1.0', to: 'op.v1.0.0' } },
        ],
        [
          'CatalogBundleWithdrawn',
          'error',
          { id: 'withdrawn', data: { channel: 'stable', bundle: 'op.v1.1.0' } },
        ],
      ],
    ],
    [
      'a hotfix that the later channel does not know',
      {
        channels: {
          stable: [{ name: '1.0.0' }],
          two: [{ name: '2.0.0', replaces: '1.0.0' }],
        },
      },
      {
        channels: {
          stable: [{ name: '1.0.1', replaces: '1.0.0' }, { name: '1.0.0' }],
          two: [{ name: '2.0.0', replaces: '1.0.0' }],
        },
      },
      [
        [
          'CatalogHeadChanged',
          'info',
          { id: 'forward', data: { channel: 'stable', from: 'op.v1.0.0', to: 'op.v1.0.1' } },
        ],
        [
          'CatalogHeadStranded',
          'warning',
          {
            id: 'stranded',
            data: {
              ...{ package: 'op', channel: 'stable', head: 'op.v1.0.1' },
              ...{ later: 'two', older: 'op.v1.0.0', to: 'op.v2.0.0' },
            },
          },
        ],
      ],
    ],
    [
      'a channel is removed, its versions are elsewhere',
      { channels: { stable: ['1.0.0'], fast: ['1.0.0'] } },
      { channels: { stable: ['1.0.0'] } },
      [
        [
          'CatalogChannelRemoved',
          'error',
          { id: 'elsewhere', data: { channel: 'fast', entries: 'one entry', channels: 'stable' } },
        ],
      ],
    ],
    [
      'the default channel moves',
      { channels: { stable: ['1.0.0'], fast: ['1.0.0'] } },
      { defaultChannel: 'fast', channels: { stable: ['1.0.0'], fast: ['1.0.0'] } },
      [
        [
          'CatalogDefaultChannelMoved',
          'warning',
          { id: 'moved', data: { from: 'stable', channel: 'fast' } },
        ],
      ],
    ],
    [
      'the default channel moves to one that does not exist',
      { channels: { stable: ['1.0.0'] } },
      { defaultChannel: 'stabel', channels: { stable: ['1.0.0'] } },
      [
        [
          'CatalogDefaultChannelMoved',
          'error',
          {
            id: 'unknown',
            data: { channel: 'stabel', nearest: ' (did you mean "stable"?)', asBefore: '' },
          },
        ],
      ],
    ],
    [
      'two heads',
      chain,
      next({ name: '1.2.0', replaces: '1.0.0' }, { name: '1.1.0', replaces: '1.0.0' }, '1.0.0'),
      [
        [
          'CatalogChannelUnusable',
          'error',
          {
            id: 'unusable',
            data: {
              channel: 'stable',
              asBefore: '',
              problem:
                'a unique replacement chain within a channel is required to determine the relative order between channel entries, but 2 replacement chains were found in channel "stable" of package "op": op.v1.2.0...op.v1.0.0, op.v1.1.0...op.v1.0.0',
            },
          },
        ],
      ],
    ],
    [
      'a stranded version',
      chain,
      next({ name: '1.2.0', replaces: '1.1.0' }, '1.1.0', '1.0.0'),
      [
        [
          'CatalogChannelUnusable',
          'error',
          {
            id: 'unusable',
            data: {
              channel: 'stable',
              asBefore: '',
              problem:
                'a unique replacement chain within a channel is required to determine the relative order between channel entries, but 2 replacement chains were found in channel "stable" of package "op": op.v1.2.0...op.v1.1.0, op.v1.0.0',
            },
          },
        ],
        [
          'CatalogEdgesLost',
          'warning',
          { id: 'lost', data: { channel: 'stable', entry: 'op.v1.1.0', from: 'op.v1.0.0' } },
        ],
      ],
    ],
    [
      'a withdrawn bundle without an edge away from it',
      chain,
      next('1.2.0'),
      [
        [
          'CatalogHeadChanged',
          'info',
          { id: 'forward', data: { channel: 'stable', from: 'op.v1.1.0', to: 'op.v1.2.0' } },
        ],
        [
          'CatalogBundleWithdrawn',
          'error',
          { id: 'withdrawn', data: { channel: 'stable', bundle: 'op.v1.1.0' } },
        ],
        [
          'CatalogBundleWithdrawn',
          'error',
          { id: 'withdrawn', data: { channel: 'stable', bundle: 'op.v1.0.0' } },
        ],
      ],
    ],
    [
      'a withdrawn bundle with an edge away from it',
      chain,
      next({ name: '1.2.0', skipRange: '<1.2.0' }),
      [
        [
          'CatalogHeadChanged',
          'info',
          { id: 'forward', data: { channel: 'stable', from: 'op.v1.1.0', to: 'op.v1.2.0' } },
        ],
      ],
    ],
    [
      'a version below a skipped one has no replacement',
      chain,
      next(
        { name: '1.2.0', skips: ['1.1.0'] },
        { name: '1.1.0', replaces: '1.0.0' },
        { name: '1.0.0' },
      ),
      [
        [
          'CatalogHeadChanged',
          'info',
          { id: 'forward', data: { channel: 'stable', from: 'op.v1.1.0', to: 'op.v1.2.0' } },
        ],
        [
          'CatalogNoReplacement',
          'error',
          {
            id: 'one',
            data: { channel: 'stable', names: 'op.v1.0.0', asBefore: '', head: 'op.v1.2.0' },
          },
        ],
      ],
    ],
    [
      'the same, as before',
      next({ name: '1.2.0', skips: ['1.1.0'] }, { name: '1.1.0', replaces: '1.0.0' }, '1.0.0'),
      next(
        { name: '1.3.0', replaces: '1.2.0' },
        { name: '1.2.0', skips: ['1.1.0'] },
        { name: '1.1.0', replaces: '1.0.0' },
        '1.0.0',
      ),
      [
        [
          'CatalogHeadChanged',
          'info',
          { id: 'forward', data: { channel: 'stable', from: 'op.v1.2.0', to: 'op.v1.3.0' } },
        ],
        [
          'CatalogNoReplacement',
          'warning',
          {
            id: 'one',
            data: {
              channel: 'stable',
              names: 'op.v1.0.0',
              asBefore: ' (as before)',
              head: 'op.v1.3.0',
            },
          },
        ],
      ],
    ],
    [
      'OLM classic and OLM v1 part',
      chain,
      next(
        { name: '1.2.0', replaces: '1.3.0', skipRange: '<1.2.0' },
        { name: '1.3.0', replaces: '1.1.0', skipRange: '<1.2.0' },
        { name: '1.1.0', replaces: '1.0.0' },
        '1.0.0',
      ),
      [
        [
          'CatalogHeadChanged',
          'info',
          { id: 'forward', data: { channel: 'stable', from: 'op.v1.1.0', to: 'op.v1.2.0' } },
        ],
        [
          'CatalogAmbiguousReplacement',
          'warning',
          {
            id: 'differs',
            data: {
              channel: 'stable',
              from: 'op.v1.1.0',
              classic: 'op.v1.2.0',
              v1: 'op.v1.3.0',
              asBefore: '',
            },
          },
        ],
        [
          'CatalogAmbiguousReplacement',
          'warning',
          {
            id: 'differs',
            data: {
              channel: 'stable',
              from: 'op.v1.0.0',
              classic: 'op.v1.2.0',
              v1: 'op.v1.3.0',
              asBefore: '',
            },
          },
        ],
      ],
    ],
    [
      'a range that covers its own version',
      chain,
      next({ name: '1.2.0', skipRange: '<=1.2.0', skips: ['1.1.0', '1.0.0'] }, '1.1.0', '1.0.0'),
      [
        [
          'CatalogHeadChanged',
          'info',
          { id: 'forward', data: { channel: 'stable', from: 'op.v1.1.0', to: 'op.v1.2.0' } },
        ],
        [
          'CatalogUpgradeLoops',
          'error',
          {
            id: 'loops',
            data: { channel: 'stable', cycle: 'op.v1.2.0 → op.v1.2.0', asBefore: '' },
          },
        ],
        [
          'CatalogEdgesLost',
          'warning',
          { id: 'lost', data: { channel: 'stable', entry: 'op.v1.1.0', from: 'op.v1.0.0' } },
        ],
      ],
    ],
    [
      'another image under the same name',
      chain,
      { ...chain, images: { '1.0.0': 'example.com/op:other' } },
      [
        [
          'CatalogBundleChanged',
          'error',
          {
            id: 'changed',
            data: {
              bundle: 'op.v1.0.0',
              changes: 'image example.com/op:1.0.0 → example.com/op:other',
            },
          },
        ],
      ],
    ],
    [
      'other properties under the same image',
      chain,
      { ...chain, properties: { '1.0.0': [{ type: 'olm.maxOpenShiftVersion', value: '4.18' }] } },
      [
        [
          'CatalogBundlePropertiesChanged',
          'warning',
          { id: 'changed', data: { bundle: 'op.v1.0.0', types: 'olm.maxOpenShiftVersion' } },
        ],
      ],
    ],
    [
      'a late patch release that the higher minor does not skip',
      chain,
      next({ name: '1.1.0', replaces: '1.0.0' }, '1.0.0', { name: '1.0.1', replaces: '1.0.0' }),
      [
        [
          'CatalogChannelUnusable',
          'error',
          {
            id: 'unusable',
            data: {
              channel: 'stable',
              asBefore: '',
              problem:
                'a unique replacement chain within a channel is required to determine the relative order between channel entries, but 2 replacement chains were found in channel "stable" of package "op": op.v1.1.0...op.v1.0.0, op.v1.0.1...op.v1.0.0',
            },
          },
        ],
        [
          'CatalogLateZStream',
          'error',
          { id: 'late', data: { channel: 'stable', bundle: 'op.v1.0.1', above: 'op.v1.1.0' } },
        ],
      ],
    ],
    [
      'a late patch release that the higher minor skips, as the guidelines recommend',
      chain,
      next(
        { name: '1.1.0', replaces: '1.0.0', skips: ['1.0.1'] },
        { name: '1.0.1', replaces: '1.0.0' },
        { name: '1.0.0' },
      ),
      [],
    ],
    [
      'a late patch release in the chain',
      chain,
      next(
        { name: '1.1.0', replaces: '1.0.1' },
        { name: '1.0.1', replaces: '1.0.0' },
        { name: '1.0.0' },
      ),
      [
        [
          'CatalogEdgesLost',
          'warning',
          { id: 'lost', data: { channel: 'stable', entry: 'op.v1.1.0', from: 'op.v1.0.0' } },
        ],
      ],
    ],
  ];
  for (const [rule, old, now, expected] of rows) {
    it(rule, () => {
      const found = findingsOf(old, now);
      expect(found).to.deep.equal(expected);
    });
  }

  it('names file and line, and a package that is gone', () => {
    const [diff] = diffCatalogs(catalogOf(chain), catalogOf({ channels: {} }));
    expect(diff?.findings[0]).to.deep.include({
      rule: 'CatalogChannelRemoved',
      place: { file: 'op.json', line: 1 },
    });
    const gone = diffCatalogs(catalogOf(chain), loadCatalog([]).catalog);
    expect(gone.map(({ state, findings }) => [state, findings[0]?.rule])).to.deep.equal([
      ['removed', 'CatalogPackageRemoved'],
    ]);
  });
});

describe('catalog diff along edges', () => {
  const definition = (text: string): JsonObject => ({ metadata: { name: 'things' }, text });
  const contents = (byBundle: Record<string, JsonObject[]>): CrdQuestion => ({
    crdsOf: (bundle) => byBundle[bundle],
    judge: (old, next) =>
      next['text'] === 'worse'
        ? {
            effect: 'breaking',
            reason: `${JSON.stringify(old['text'])} is refused`,
            refusals: ['r1', 'r2'],
          }
        : { effect: 'safe', reason: '', refusals: next['text'] === 'odd' ? ['r1', 'r2'] : [] },
  });
  const longer = next(
    { name: '1.2.0', replaces: '1.1.0' },
    { name: '1.1.0', replaces: '1.0.0' },
    '1.0.0',
  );
  const rows: [rule: string, old: Sketch, crds: Record<string, JsonObject[]>, expected: Said[]][] =
    [
      [
        'the same definition',
        chain,
        { 'op.v1.1.0': [definition('a')], 'op.v1.2.0': [definition('a')] },
        [],
      ],
      [
        'a new edge breaks stored objects',
        chain,
        { 'op.v1.1.0': [definition('a')], 'op.v1.2.0': [definition('worse')] },
        [
          [
            'CatalogEdgeBreaks',
            'error',
            {
              id: 'breaks',
              data: {
                definition: 'things',
                updates: 'v1.1.0 → v1.2.0',
                asBefore: '',
                reason: '"a" is refused',
                refusal: '. OLM v1 refuses it: r1, and 1 more',
              },
            },
          ],
        ],
      ],
      [
        'an edge that broke them before',
        longer,
        { 'op.v1.1.0': [definition('a')], 'op.v1.2.0': [definition('worse')] },
        [
          [
            'CatalogEdgeBreaks',
            'warning',
            {
              id: 'breaks',
              data: {
                definition: 'things',
                updates: 'v1.1.0 → v1.2.0',
                asBefore: ' (as before)',
                reason: '"a" is refused',
                refusal: '. OLM v1 refuses it: r1, and 1 more',
              },
            },
          ],
        ],
      ],
      [
        'OLM v1 refuses',
        chain,
        { 'op.v1.1.0': [definition('a')], 'op.v1.2.0': [definition('odd')] },
        [
          [
            'CatalogEdgeRefused',
            'error',
            {
              id: 'refused',
              data: {
                definition: 'things',
                updates: 'v1.1.0 → v1.2.0',
                asBefore: '',
                by: 'OLM v1',
                refusals: 'r1, and 1 more',
                reason: '',
              },
            },
          ],
        ],
      ],
      [
        'OLM v1 refused it before',
        longer,
        { 'op.v1.1.0': [definition('a')], 'op.v1.2.0': [definition('odd')] },
        [
          [
            'CatalogEdgeRefused',
            'info',
            {
              id: 'asBefore',
              data: { definition: 'things', updates: 'v1.1.0 → v1.2.0', by: 'OLM v1' },
            },
          ],
        ],
      ],
      [
        'a definition is dropped',
        chain,
        { 'op.v1.1.0': [definition('a')], 'op.v1.2.0': [] },
        [
          [
            'CatalogEdgeDropsCrd',
            'warning',
            {
              id: 'dropped',
              data: { definition: 'things', updates: 'v1.1.0 → v1.2.0', asBefore: '' },
            },
          ],
        ],
      ],
    ];
  for (const [rule, old, crds, expected] of rows) {
    it(rule, () => {
      const found = findingsOf(old, longer, contents(crds)).filter(([name]) =>
        name.startsWith('CatalogEdge'),
      );
      expect(found).to.deep.equal(expected);
    });
  }
  it('counts edges of whose ends one is not known', () => {
    const [diff] = diffCatalogs(
      catalogOf(chain),
      catalogOf(longer),
      contents({ 'op.v1.1.0': [], 'op.v1.2.0': [] }),
    );
    expect(diff?.edges).to.deep.equal({ judged: 1, unknown: 1 });
  });
});
