import { expect } from 'chai';
import { loadCatalog } from '../load.js';
import { packageGraph, type GraphRequest, type PackageGraph } from './graph.js';

const objects = [
  { schema: 'olm.package', name: 'op', defaultChannel: 'stable' },
  {
    schema: 'olm.channel',
    package: 'op',
    name: 'fast',
    entries: [
      { name: 'op.v3.0.0', replaces: 'op.v2.0.0' },
      { name: 'op.v2.0.0', replaces: 'op.v1.0.0' },
    ],
  },
  {
    schema: 'olm.channel',
    package: 'op',
    name: 'stable',
    entries: [
      { name: 'op.v2.0.0', skips: ['op.v1.1.0'], skipRange: '<1.1.0' },
      { name: 'op.v1.1.0', replaces: 'op.v1.0.0' },
      { name: 'op.v1.0.0' },
    ],
  },
  ...['1.0.0', '1.1.0', '2.0.0', '3.0.0'].map((version) => ({
    schema: 'olm.bundle',
    package: 'op',
    name: `op.v${version}`,
    image: `example.com/op:${version}`,
    properties: [{ type: 'olm.package', value: { packageName: 'op', version } }],
  })),
  {
    schema: 'olm.deprecations',
    package: 'op',
    entries: [
      { reference: { schema: 'olm.package' }, message: 'use other' },
      { reference: { schema: 'olm.channel', name: 'fast' }, message: 'use stable' },
      { reference: { schema: 'olm.bundle', name: 'op.v1.0.0' }, message: 'old' },
    ],
  },
];
const { catalog } = loadCatalog([
  { path: 'c.json', content: objects.map((each) => JSON.stringify(each)).join('\n') },
]);

function graphOf(request: Partial<GraphRequest> = {}): PackageGraph {
  const graph = packageGraph(catalog, { packageName: 'op', ...request });
  if (graph === undefined) throw new Error('no graph');
  return graph;
}

describe('the update graph of a package', () => {
  it('has the default channel first, and one row for each version, newest first', () => {
    const { channels, rows } = graphOf();
    const none = { deprecation: undefined, problem: undefined };
    expect(channels).to.deep.equal([
      { ...none, name: 'stable', isDefault: true, head: 'op.v2.0.0' },
      { ...none, name: 'fast', isDefault: false, head: 'op.v3.0.0', deprecation: 'use stable' },
    ]);
    expect(rows.map(({ label }) => label)).to.deep.equal(['3.0.0', '2.0.0', '1.1.0', '1.0.0']);
    expect(rows[3]?.deprecation).to.equal('old');
  });
  it('says what each entry is to OLM classic', () => {
    const states = graphOf().nodes.map(({ channel, name, state }) => `${channel} ${name} ${state}`);
    expect(states).to.deep.equal([
      'stable op.v2.0.0 head',
      'stable op.v1.1.0 skipped',
      'stable op.v1.0.0 unreachable',
      'fast op.v3.0.0 head',
      'fast op.v2.0.0 chain',
    ]);
  });
  it('has every edge once, and names what is replaced and not there', () => {
    const { edges, nodes } = graphOf();
    expect(
      edges.map(({ fromChannel = '', channel, from, to, kind }) =>
        [fromChannel, channel, from, to, kind].join(' ').trim(),
      ),
    ).to.deep.equal([
      'stable op.v1.1.0 op.v2.0.0 skips',
      'stable op.v1.0.0 op.v2.0.0 skipRange',
      'stable op.v1.0.0 op.v1.1.0 replaces',
      'fast op.v2.0.0 op.v3.0.0 replaces',
      'stable fast op.v1.0.0 op.v2.0.0 replaces',
    ]);
    expect(nodes.at(-1)?.replacesAbsent).to.equal('op.v1.0.0');
  });
  it('marks a head from which no later channel can be reached, and draws who gets there', () => {
    const channel = (name: string, entries: readonly object[]): object => ({
      ...{ schema: 'olm.channel', package: 'op', name, entries },
    });
    const versions = ['1.0.0', '1.0.1', '1.1.0', '2.0.0'];
    const content = [
      { schema: 'olm.package', name: 'op', defaultChannel: 'v2' },
      channel('v1.0', [{ name: 'op.v1.0.1', replaces: 'op.v1.0.0' }, { name: 'op.v1.0.0' }]),
      channel('v1.1', [{ name: 'op.v1.1.0', replaces: 'op.v1.0.0' }]),
      channel('v2', [{ name: 'op.v2.0.0', skipRange: '>=1.1.0 <2.0.0' }]),
      ...versions.map((version) => ({
        schema: 'olm.bundle',
        package: 'op',
        name: `op.v${version}`,
        image: `example.com/op:${version}`,
        properties: [{ type: 'olm.package', value: { packageName: 'op', version } }],
      })),
    ];
    const loaded = loadCatalog([
      { path: 'c.json', content: content.map((each) => JSON.stringify(each)).join('\n') },
    ]);
    const graph = packageGraph(loaded.catalog, { packageName: 'op' });
    const stranded = graph?.nodes.filter(({ strandedBefore }) => strandedBefore !== undefined);
    expect(stranded?.map(({ name, strandedBefore }) => [name, strandedBefore])).to.deep.equal([
      ['op.v1.0.1', 'v1.1'],
    ]);
    const crossing = graph?.edges.filter(({ fromChannel }) => fromChannel !== undefined);
    expect(
      crossing?.map(({ fromChannel, from, channel: to, kind }) => [fromChannel, from, to, kind]),
    ).to.deep.equal([
      ['v1.1', 'op.v1.1.0', 'v2', 'skipRange'],
      ['v1.0', 'op.v1.0.0', 'v1.1', 'replaces'],
    ]);
  });
  it('shows a path, also from what is gone, where it leads on', () => {
    const step = { to: 'op.v2.0.0', channel: 'stable', edges: [], passedOver: [] };
    const { nodes, edges } = graphOf({ path: [{ ...step, from: 'op.v0.9.0' }] });
    const path = nodes.filter(({ isOnPath }) => isOnPath);
    expect(path.map(({ name, state }) => `${name} ${state}`)).to.deep.equal([
      'op.v2.0.0 head',
      'op.v0.9.0 gone',
    ]);
    expect(edges.filter(({ isOnPath }) => isOnPath)).to.deep.equal([
      { channel: 'stable', from: 'op.v0.9.0', to: 'op.v2.0.0', kind: 'skipRange', isOnPath: true },
    ]);
  });
  it('marks edges that break objects', () => {
    const breaks = (_: string, to: string) => (to === 'op.v3.0.0' ? 'because' : undefined);
    const broken = graphOf({ breaks }).edges.filter(({ breaks }) => breaks !== undefined);
    expect(broken.map(({ to, breaks }) => [to, breaks])).to.deep.equal([['op.v3.0.0', 'because']]);
  });
  it('leaves out other channels, and knows no other package', () => {
    expect(graphOf({ channels: ['fast'] }).rows).to.have.length(2);
    expect(packageGraph(catalog, { packageName: 'other' })).to.equal(undefined);
  });
});
