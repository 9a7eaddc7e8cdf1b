import { expect } from 'chai';
import { loadCatalog } from '../load.js';
import type { ChannelEntry } from '../catalog.js';
import { type PackageInCatalog, packageOf, pathDifferences } from './upgrade-path.js';
import { classicChannels, classicPath } from './classic-path.js';
import { documentsPath } from './documents-path.js';
import { v1Path } from './v1-path.js';
import type { V1Request } from './resolve-v1.js';

type Entries = Record<string, Partial<Omit<ChannelEntry, 'name'>>>;

/** A catalog with one channel `stable` of package `op`, read from text as a user writes it. */
function catalogOf(entries: Entries, name = 'cat', extra = ''): PackageInCatalog {
  const bundles = Object.keys(entries).map(
    (version) =>
      `---\nschema: olm.bundle\npackage: op\nname: op.v${version}\nimage: quay.io/op:v${version}\nproperties:\n- type: olm.package\n  value: {packageName: op, version: "${version}"}\n`,
  );
  const channel = {
    schema: 'olm.channel',
    package: 'op',
    name: 'stable',
    entries: Object.entries(entries).map(([version, entry]) => ({
      name: `op.v${version}`,
      ...entry,
    })),
  };
  const content = `---\nschema: olm.package\nname: op\ndefaultChannel: stable\n---\n${JSON.stringify(channel)}\n${bundles.join('')}${extra}`;
  const { catalog, error } = loadCatalog([{ path: 'catalog.yaml', content }]);
  if (error !== undefined) throw error;
  const found = packageOf(catalog, 'op', { name });
  if (found === undefined) throw new Error('the catalog has no package op');
  return found;
}

const at = (version: string) => ({ name: `op.v${version}`, version });
const classic = (catalog: PackageInCatalog, version: string) =>
  classicPath({
    packageName: 'op',
    channel: 'stable',
    channels: classicChannels(catalog),
    installed: at(version),
  });
const v1 = (catalog: PackageInCatalog, version: string, more: Partial<V1Request> = {}) =>
  v1Path({ packageName: 'op', catalogs: [catalog], installed: at(version), ...more });

const documentsExample = catalogOf({
  '3.0.0': { skips: ['op.v2.0.0'] },
  '2.0.0': { skipRange: '>=1.0.0 <2.0.0' },
});
const chain = catalogOf({
  '1.0.0': {},
  '1.1.0': { replaces: 'op.v1.0.0' },
  '1.2.0': { replaces: 'op.v1.1.0' },
  '2.0.0': { replaces: 'op.v1.2.0', skipRange: '>=1.1.0 <2.0.0' },
});

describe('paths of OLM v1', () => {
  it('goes on until it stays, and says why each time', () => {
    expect(v1(chain, '1.0.0')).to.deep.equal({
      steps: [
        {
          from: 'op.v1.0.0',
          to: 'op.v1.1.0',
          catalog: 'cat',
          channel: 'stable',
          edges: [{ kind: 'replaces', channel: 'stable' }],
          passedOver: [],
        },
        {
          from: 'op.v1.1.0',
          to: 'op.v2.0.0',
          catalog: 'cat',
          channel: 'stable',
          edges: [{ kind: 'skipRange', channel: 'stable', range: '>=1.1.0 <2.0.0' }],
          passedOver: ['op.v1.2.0'],
        },
      ],
      loops: false,
    });
  });
  it('distinguishes releases of one version', () => {
    const releases = catalogOf({
      '1.0.0': {},
      '1.0.0+1': { replaces: 'op.v1.0.0' },
      '1.0.0+2': { replaces: 'op.v1.0.0+1' },
    });
    expect(v1(releases, '1.0.0').steps.map(({ to }) => to)).to.deep.equal([
      'op.v1.0.0+1',
      'op.v1.0.0+2',
    ]);
  });
  it('ends with the text of the error', () => {
    expect(v1(chain, '1.0.0', { version: '>=9' }).error).to.equal(
      'error upgrading from currently installed version "1.0.0": no bundles found for package "op" matching version ">=9"',
    );
  });
  it('leaves a deprecated version even downwards, and stays there', () => {
    const round = catalogOf({
      '1.0.0': { replaces: 'op.v2.0.0' },
      '2.0.0': { replaces: 'op.v1.0.0' },
    });
    const deprecated = (name: string) => ({ ...round, deprecatedBundles: new Set([name]) });
    expect(v1(deprecated('op.v2.0.0'), '2.0.0').steps.map(({ to }) => to)).to.deep.equal([
      'op.v1.0.0',
    ]);
    expect(v1(round, '1.0.0').steps.map(({ to }) => to)).to.deep.equal(['op.v2.0.0']);
  });
});

describe('where the two OLMs differ', () => {
  it('the documented example: a skipped entry is a successor for OLM v1 only', () => {
    expect(
      pathDifferences(
        classic(documentsExample, '1.0.0'),
        v1(documentsExample, '1.0.0'),
        documentsExample.channels,
      ),
    ).to.deep.equal([
      'From op.v1.0.0 OLM classic finds no update path; OLM v1 goes to op.v2.0.0 (skipRange ">=1.0.0 <2.0.0" covers op.v1.0.0)',
      'op.v2.0.0 is skipped by op.v3.0.0 in channel stable: for OLM classic it is not on the replaces chain and never a target; OLM v1 has no such chain',
    ]);
  });
  it('nearest the head against the highest version', () => {
    const catalog = catalogOf({
      '1.0.0': {},
      '1.5.0': { replaces: 'op.v1.0.0' },
      '1.1.0': { replaces: 'op.v1.5.0', skips: ['op.v1.0.0'] },
    });
    const [sentence] = pathDifferences(
      classic(catalog, '1.0.0'),
      v1(catalog, '1.0.0'),
      catalog.channels,
    );
    expect(sentence).to.equal(
      'From op.v1.0.0 OLM classic goes to op.v1.1.0, the entry nearest the head; OLM v1 goes to op.v1.5.0, the highest version among the successors, deprecated ones last',
    );
  });
  it('a channel that only OLM classic refuses', () => {
    const catalog = catalogOf({ '1.0.0': {}, '2.0.0': {} });
    expect(
      pathDifferences(classic(catalog, '1.0.0'), v1(catalog, '1.0.0'), catalog.channels)[0],
    ).to.include('OLM v1 does not check the graph');
  });
  it('an edge down, which only OLM classic follows', () => {
    const catalog = catalogOf({ '2.0.0': {}, '1.0.0': { replaces: 'op.v2.0.0' } });
    expect(
      pathDifferences(classic(catalog, '2.0.0'), v1(catalog, '2.0.0'), catalog.channels),
    ).to.deep.equal([
      'From op.v2.0.0 OLM classic goes to op.v1.0.0 (replaces op.v2.0.0); OLM v1 stays: nothing better satisfies version range, channels and edges',
    ]);
  });
  it('is empty for equal paths', () => {
    const catalog = catalogOf({ '1.0.0': {}, '1.1.0': { replaces: 'op.v1.0.0' } });
    expect(
      pathDifferences(classic(catalog, '1.0.0'), v1(catalog, '1.0.0'), catalog.channels),
    ).to.deep.equal([]);
  });
});

describe('the documented precedence over several catalogs', () => {
  const walk = (own: Entries, other: Entries, version: string) =>
    documentsPath({
      packageName: 'op',
      channel: 'stable',
      source: 'own',
      sources: [
        { catalog: 'other', channels: classicChannels(catalogOf(other, 'other')) },
        { catalog: 'own', channels: classicChannels(catalogOf(own, 'own')) },
      ],
      installed: at(version),
    }).steps.map(({ to, catalog, criterion }) => [criterion, catalog, to]);

  const headRange: Entries = {
    '1.1.0': {},
    '3.0.0': { replaces: 'op.v1.1.0', skipRange: '<3.0.0' },
  };
  const plain: Entries = { '1.0.0': {}, '1.1.0': { replaces: 'op.v1.0.0' } };
  const rows: [rule: string, own: Entries, other: Entries, steps: [number, string, string][]][] = [
    ['1: the head of the own source', headRange, headRange, [[1, 'own', 'op.v3.0.0']]],
    [
      '2: the next in the own source goes before another source’s head',
      plain,
      headRange,
      [
        [2, 'own', 'op.v1.1.0'],
        [3, 'other', 'op.v3.0.0'],
      ],
    ],
    ['3: the head of another source', { '0.1.0': {} }, headRange, [[3, 'other', 'op.v3.0.0']]],
    ['4: the next in another source', { '0.1.0': {} }, plain, [[4, 'other', 'op.v1.1.0']]],
    [
      'the range of an entry that is no head does not count',
      { '1.2.0': { skipRange: '<1.2.0' }, '1.3.0': { replaces: 'op.v1.2.0' } },
      { '0.1.0': {} },
      [],
    ],
  ];
  for (const [rule, own, other, steps] of rows) {
    it(rule, () => {
      expect(walk(own, other, '1.0.0')).to.deep.equal(steps);
    });
  }
  it('is unusable when the own channel is', () => {
    const path = documentsPath({
      packageName: 'op',
      channel: 'stable',
      source: 'own',
      sources: [
        { catalog: 'own', channels: classicChannels(catalogOf({ '1.0.0': {}, '2.0.0': {} })) },
      ],
    });
    expect(path.error).to.include('2 replacement chains were found');
  });

  describe('of OLM v1, with bundles that say where they can be installed', () => {
    const path = (installed: readonly string[], next: readonly string[], from?: string) => {
      const catalog = catalogOf({ '1.0.0': {}, '1.1.0': { replaces: 'op.v1.0.0' } });
      const bundles = catalog.bundles.map((bundle) => ({
        ...bundle,
        installation: {
          modes: bundle.name === 'op.v1.0.0' ? installed : next,
          ownsApiServices: false,
        },
      }));
      const catalogs = [{ ...catalog, bundles }];
      const { steps, error } = v1Path({
        ...{ packageName: 'op', catalogs },
        installed: from === undefined ? undefined : at(from),
      });
      return { steps: steps.map(({ to }) => to), error };
    };
    const refusal =
      'error for resolved bundle "op.v1.1.0" with version "1.1.0": unsupported bundle: bundle does not support AllNamespaces install mode';

    it('it stops before one that it refuses', () => {
      const stopped = { steps: [], error: refusal };
      expect(path(['AllNamespaces'], ['OwnNamespace'], '1.0.0')).to.deep.equal(stopped);
      expect(path(['OwnNamespace'], ['OwnNamespace'])).to.deep.equal(stopped);
    });

    it('it goes on where such a bundle is installed already', () => {
      const gone = { steps: ['op.v1.1.0'], error: undefined };
      expect(path(['OwnNamespace'], ['OwnNamespace'], '1.0.0')).to.deep.equal(gone);
      expect(path(['AllNamespaces'], ['AllNamespaces'], '1.0.0')).to.deep.equal(gone);
    });
  });
});
