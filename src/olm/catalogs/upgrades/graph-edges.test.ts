import { expect } from 'chai';
import { loadCatalog } from '../load.js';
import { readVersion } from '../../../text/versions/index.js';
import { type EdgeBudget, graphEdges, type GraphEdges, GraphPath } from './graph-edges.js';
import { packageGraph } from './graph.js';
import { readPackages } from './package-state.js';

const name = (index: number): string => `op.v1.0.${index}`;

/** Each entry takes over from all below it. */
function dense(count: number, entry: (index: number) => object) {
  const entries = Array.from({ length: count }, (_, index) => ({
    name: name(index),
    ...(index > 0 && { replaces: name(index - 1) }),
    ...entry(index),
  }));
  const channel = { schema: 'olm.channel', package: 'op', name: 'stable', entries };
  const item = { schema: 'olm.package', name: 'op', defaultChannel: 'stable' };
  const content = [item, channel].map((each) => JSON.stringify(each)).join('\n');
  return loadCatalog([{ path: 'c.json', content }]).catalog;
}

const byRange = (index: number): object => ({ skipRange: `<1.0.${index}` });
const bySkips = (index: number): object => ({
  skips: Array.from({ length: Math.max(0, index - 1) }, (_, below) => name(below)),
});

function edgesOf(
  count: number,
  entry: (index: number) => object,
  budget: EdgeBudget,
  {
    breaks,
    path = [],
  }: { breaks?: (from: string, to: string) => string | undefined; path?: string[] } = {},
): GraphEdges {
  const channel = readPackages(dense(count, entry)).get('op')?.channels.get('stable');
  if (channel === undefined) throw new Error('no channel');
  const origins = channel.entries.map((each) => {
    const version = readVersion(each.name.slice(4));
    if (version === undefined) throw new Error('no version');
    return { name: each.name, version };
  });
  const steps = path.slice(1).map((to, index) => ({
    from: path[index] ?? '',
    to,
    channel: 'stable',
    edges: [],
    passedOver: [],
  }));
  return graphEdges([{ channel, origins }], new GraphPath(steps, path[0]), breaks, budget);
}

const all = { edges: Infinity, comparisons: Infinity };

describe('the edges of a graph', () => {
  for (const [kind, entry] of [
    ['skipRange', byRange],
    ['skips', bySkips],
  ] as const) {
    it(`has each pair once, by the first kind that makes it an edge: ${kind}`, () => {
      const { edges, leftOut } = edgesOf(20, entry, all);
      expect(edges).to.have.lengthOf((20 * 19) / 2);
      expect(edges.filter((edge) => edge.kind === 'replaces')).to.have.lengthOf(19);
      expect(new Set(edges.map(({ from, to }) => `${from} ${to}`)).size).to.equal(edges.length);
      expect(leftOut).to.deep.equal([]);
    });

    it(`shows what replaces first and then what is nearest the head: ${kind}`, () => {
      const { edges, leftOut } = edgesOf(20, entry, { edges: 30, comparisons: Infinity });
      expect(edges).to.have.lengthOf(30);
      const others = edges.filter((edge) => edge.kind === kind);
      expect(new Set(others.map(({ to }) => to))).to.deep.equal(new Set([name(19)]));
      expect(others).to.have.lengthOf(11);
      expect(leftOut).to.deep.equal([
        `160 updates by ${kind} are left out: a picture shows at most 30`,
      ]);
    });
  }

  it('shows the path, whatever else finds room', () => {
    const path = [name(0), name(5), name(19)];
    const { edges } = edgesOf(20, byRange, { edges: 2, comparisons: 0 }, { path });
    expect(edges.map(({ from, to, isOnPath }) => [from, to, isOnPath])).to.deep.equal([
      [name(0), name(5), true],
      [name(5), name(19), true],
    ]);
  });

  it('compares no more than it may, from the head down, and says so', () => {
    const { edges, leftOut } = edgesOf(20, byRange, { edges: Infinity, comparisons: 100 });
    const ranges = edges.filter(({ kind }) => kind === 'skipRange');
    expect([...new Set(ranges.map(({ to }) => to))].sort()).to.deep.equal(
      [15, 16, 17, 18, 19].map(name).sort(),
    );
    expect(leftOut).to.deep.equal([
      'the ranges of 15 entries farthest from the head are left out: at most 100 versions are compared',
    ]);
  });

  it('asks what breaks of those edges only that are shown', () => {
    let asked = 0;
    const breaks = (_: string, to: string): string | undefined => {
      asked++;
      return to === name(19) ? 'things' : undefined;
    };
    const { edges } = edgesOf(20, byRange, { edges: 30, comparisons: Infinity }, { breaks });
    expect(asked).to.equal(30);
    expect(edges.filter((edge) => edge.breaks === 'things')).to.have.lengthOf(12);
  });

  it('is bounded for thousands of dense entries', () => {
    const graph = packageGraph(dense(1500, byRange), { packageName: 'op' });
    expect(graph?.nodes).to.have.lengthOf(1500);
    expect(graph?.edges).to.have.lengthOf(10_000);
    expect(graph?.leftOut?.join('\n')).to.match(
      /\d+ updates by skipRange .*\n.* of \d+ entries farthest from the head/,
    );
  });

  it('is bounded for thousands of channels', () => {
    const content = [
      { schema: 'olm.package', name: 'op', defaultChannel: 'c0' },
      ...Array.from({ length: 500 }, (_, index) => ({
        schema: 'olm.channel',
        package: 'op',
        name: `c${index}`,
        entries: [{ name: name(index) }],
      })),
    ];
    const text = content.map((each) => JSON.stringify(each)).join('\n');
    const { catalog } = loadCatalog([{ path: 'c.json', content: text }]);
    const graph = packageGraph(catalog, { packageName: 'op' });
    expect(graph?.channels).to.have.lengthOf(200);
    expect(graph?.channels[0]?.name).to.equal('c0');
    expect(graph?.leftOut?.[0]).to.match(/^300 channels are left out: .* with --channel$/);
  });
});
