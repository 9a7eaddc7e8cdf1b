import { expect } from 'chai';
import type { GraphEdge } from '../../olm/catalogs/upgrades/graph-edges.js';
import type { GraphNode, PackageGraph } from '../../olm/catalogs/upgrades/graph.js';
import { graphFormats, renderGraph } from './index.js';
import { layOut } from './layout.js';

const node = (channel: string, name: string, more: Partial<GraphNode> = {}): GraphNode => ({
  channel,
  name,
  state: 'chain',
  isDeprecated: false,
  isOnPath: false,
  isInstalled: false,
  ...more,
});
const edge = (from: string, to: string, more: Partial<GraphEdge> = {}): GraphEdge => ({
  channel: 'a',
  from,
  to,
  kind: 'replaces',
  isOnPath: false,
  ...more,
});
const names = Array.from({ length: 20 }, (_, index) => `op.v${20 - index}.0.0`);
const rows = names.map((name) => ({ name, label: name.slice(4) }));
const graph = (edges: readonly GraphEdge[], more: Partial<PackageGraph> = {}): PackageGraph => ({
  package: 'op',
  channels: [{ name: 'a', isDefault: true, head: names[0] ?? '' }],
  rows,
  nodes: names.map((name, index) => node('a', name, index === 0 ? { state: 'head' } : {})),
  edges,
  ...more,
});
const at = (index: number): string => names[index] ?? '';

describe('the layout of a graph', () => {
  it('draws neighbours straight and others beside, the chain before and the rest behind', () => {
    const { links, buses } = layOut(
      graph([
        edge(at(1), at(0)),
        edge(at(3), at(1)),
        edge(at(2), at(1), { kind: 'skips' }),
        edge(at(3), at(1), { kind: 'skips' }),
      ]),
    );
    expect(links.map((link) => link.edge.to)).to.deep.equal([at(0)]);
    expect(buses.map(({ kind, ticks, laneX, x }) => [kind, ticks.length, laneX < x])).to.deep.equal(
      [
        ['replaces', 1, true],
        ['skips', 2, false],
      ],
    );
  });
  it('gives lines that overlap lanes of their own, and shares a lane else', () => {
    const skips = (from: number, to: number): GraphEdge =>
      edge(at(from), at(to), { kind: 'skips' });
    const lanes = (edges: GraphEdge[]): number =>
      new Set(layOut(graph(edges)).buses.map(({ laneX }) => laneX)).size;
    expect(lanes([skips(5, 0), skips(4, 1)])).to.equal(2);
    expect(lanes([skips(3, 0), skips(8, 5)])).to.equal(1);
  });
  it('draws the ranges nearest the head in full, the rest as stubs, but for the path', () => {
    const ranges = names
      .slice(0, 15)
      .flatMap((to, index) =>
        names.slice(index + 1).map((from) => edge(from, to, { kind: 'skipRange' })),
      );
    const full = layOut(graph(ranges)).buses.filter(({ isStub }) => !isStub);
    expect(full.map(({ to }) => to).toSorted()).to.deep.equal(names.slice(0, 6).toSorted());
    const last = ranges.findLastIndex(({ to }) => to === at(14));
    const withPath = ranges.map((each, index) =>
      index === last ? { ...each, isOnPath: true } : each,
    );
    const drawn = layOut(graph(withPath)).buses.filter(({ isStub }) => !isStub);
    expect(drawn.map(({ to }) => to)).to.include(at(14));
  });
});

describe('the layout of a dense graph', () => {
  /** Each of `count` entries takes over from all below it, by a line of its own. */
  function stepsFor(count: number, kind: GraphEdge['kind']): { steps: number; width: number } {
    const all = Array.from({ length: count }, (_, index) => `op.v${count - index}.0.0`);
    const edges = all
      .slice(0, -1)
      .map((to, index) => edge(all.at(-1 - (index % 2)) ?? '', to, { kind }));
    const steps = { count: 0 };
    const { width } = layOut(
      {
        ...graph(edges),
        rows: all.map((name) => ({ name, label: name.slice(4) })),
        nodes: all.map((name) => node('a', name)),
      },
      steps,
    );
    return { steps: steps.count, width };
  }

  for (const kind of ['skips', 'skipRange'] as const) {
    it(`compares each line of ${kind} with a bounded number of others`, () => {
      expect(stepsFor(1000, kind).steps).to.be.below(1000 * 110);
      expect(stepsFor(2000, kind).steps).to.be.below(2000 * 110);
      expect(stepsFor(2000, kind).width).to.equal(stepsFor(1000, kind).width);
    });
  }
});

describe('an edge from another channel', () => {
  const two = graph([edge(at(5), at(1), { fromChannel: 'b' })], {
    channels: [
      { name: 'a', isDefault: true, head: at(0) },
      { name: 'b', isDefault: false },
    ],
    nodes: [node('a', at(1)), node('b', at(5), { strandedBefore: 'a' })],
  });
  it('is drawn from the column in which it starts', () => {
    const { buses, columns } = layOut(two);
    expect(buses.map(({ ticks }) => ticks.map(({ x }) => x))).to.deep.equal([[columns[1]?.nodeX]]);
  });
  for (const [format, says] of [
    ['svg', 'from channel b into a|of channel b'],
    ['text', 'replaces 15.0.0 of b'],
  ] as const) {
    it(`is told by ${format}`, () => {
      expect(renderGraph(two, format)).to.match(new RegExp(says));
    });
  }
  it('a head without a way on has a bar, and says so', () => {
    const svg = renderGraph(two, 'svg');
    expect(svg).to.include('class="bar"').and.to.include('no way into a later channel');
    expect(renderGraph(two, 'text')).to.include('no way on into a');
  });
});

describe('pictures of a graph', () => {
  const evil = '"><script>alert(1)</script>&\u0000';
  const everything = graph(
    [
      edge(at(1), at(0), { breaks: evil }),
      edge(at(4), at(0), { kind: 'skips', isOnPath: true }),
      edge(at(9), at(1), { kind: 'skipRange', breaks: 'x' }),
    ],
    {
      installed: at(4),
      deprecation: evil,
      channels: [
        { name: evil, isDefault: false, problem: evil, deprecation: evil },
        { name: 'a', isDefault: true },
      ],
      nodes: [
        ...names.map((name, index) =>
          node('a', name, {
            state:
              index === 0
                ? 'head'
                : index === 7
                  ? 'skipped'
                  : index === 8
                    ? 'unreachable'
                    : 'chain',
            isDeprecated: index > 15,
            isInstalled: index === 4,
            isOnPath: index === 4,
          }),
        ),
        node(evil, at(0), { skipRange: evil, replacesAbsent: evil }),
      ],
    },
  );
  for (const format of graphFormats) {
    it(`${format} holds every version and lets no text become code`, () => {
      const text = renderGraph(everything, format);
      for (const { label } of rows) expect(text).to.contain(label);
      if (format === 'svg') expect(text).not.to.contain('<script>alert');
      expect(text).not.to.contain('\u0000');
    });
  }
  it('tells state in words and shapes, not by colour alone', () => {
    const svg = renderGraph(everything, 'svg');
    for (const words of [
      'head',
      'skipped',
      'stranded',
      'deprecated',
      'installed',
      'breaks stored objects',
      'the way from there',
    ]) {
      expect(svg).to.match(new RegExp(`<text class="muted"[^>]*>${words}</text>`));
    }
    expect(svg).to.contain('stranded: no chain from the head leads to it');
  });
  it('says what is left out, in words', () => {
    const leftOut = ['5 updates by skips are left out'];
    for (const format of graphFormats) {
      expect(renderGraph({ ...everything, leftOut }, format)).to.match(
        /5 updates by skips are left/,
      );
    }
  });
});
