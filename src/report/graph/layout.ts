/**
 * Places a package's update graph: a row for each version, newest at the top, and a column for each channel.
 * Updates go upwards. One entry that takes over from many gets one line with a tick at each of them.
 */
import {
  type GraphChannel,
  type GraphEdge,
  type GraphNode,
  type PackageGraph,
} from '../../olm/index.js';
import { append, largest, smallest } from '../../text/long-lists.js';
import { groupBy } from '../../text/group.js';

export interface PlacedNode {
  readonly node: GraphNode;
  readonly x: number;
  readonly y: number;
}

export interface Link {
  readonly edge: GraphEdge;
  readonly x: number;
  readonly from: number;
  readonly to: number;
}

/** A line beside the nodes, from an entry to all entries that it replaces or skips by one kind of edge. */
export interface Bus {
  readonly to: string;
  readonly kind: GraphEdge['kind'];
  /** Position of the entry's node. */
  readonly x: number;
  readonly laneX: number;
  readonly y: number;
  /** `x`: the column in which the edge starts, if it is another channel's. */
  readonly ticks: readonly { readonly edge: GraphEdge; readonly y: number; readonly x?: number }[];
  /** Only the beginning is drawn, because too many ranges overlap here. */
  readonly isStub: boolean;
}

interface Column {
  readonly channel: GraphChannel;
  readonly left: number;
  readonly width: number;
  readonly nodeX: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly rowHeight: number;
  /** Where labels end, and columns begin. */
  readonly labelsWidth: number;
  readonly rows: readonly { readonly name: string; readonly label: string; readonly y: number }[];
  readonly columns: readonly Column[];
  readonly nodes: readonly PlacedNode[];
  readonly links: readonly Link[];
  readonly buses: readonly Bus[];
}

/** The width of a character of the monospaced labels, in pixels. */
export const characterWidth = 7.4;
const margin = 24;
const laneWidth = 10;
const nodeOffset = 26;
/** How many overlapping ranges are drawn: each release of a package often skips all earlier ones. */
const maxRanges = 6;

/** @param steps counts the pairs of lines that are compared */
export function layOut(graph: PackageGraph, steps = { count: 0 }): Layout {
  const rowHeight = graph.rows.length > 120 ? 24 : 28;
  const yOf = new Map(
    graph.rows.map(({ name }, index) => [name, (index + 0.5) * rowHeight] as const),
  );
  const longest = largest(
    graph.rows.map(({ label }) => [...label].length),
    7,
  );
  const labelsWidth = margin + Math.ceil(longest * characterWidth) + 28;
  const columns: Column[] = [];
  const nodes: PlacedNode[] = [];
  const links: Link[] = [];
  const buses: Bus[] = [];
  let left = labelsWidth;
  const nodesOf = groupBy(graph.nodes, ({ channel }) => channel);
  const edgesOf = groupBy(graph.edges, ({ channel }) => channel);
  const position = new Map(graph.channels.map(({ name }, index) => [name, index]));
  for (const [index, channel] of graph.channels.entries()) {
    const own = nodesOf.get(channel.name) ?? [];
    const comesFromLeft = ({ fromChannel }: GraphEdge): boolean =>
      fromChannel !== undefined && (position.get(fromChannel) ?? 0) < index;
    const placed = placeEdges(edgesOf.get(channel.name) ?? [], own, yOf, comesFromLeft, steps);
    const nodeX = left + nodeOffset + placed.lanesBefore * laneWidth;
    for (const node of own) nodes.push({ node, x: nodeX, y: yOf.get(node.name) ?? 0 });
    append(
      links,
      placed.links.map((link) => ({ ...link, x: nodeX })),
    );
    append(
      buses,
      placed.buses.map((bus) => ({ ...bus, x: nodeX, laneX: nodeX + bus.laneX })),
    );
    const heading = [...headingOf(channel)].length * characterWidth + 20;
    const lanes = placed.lanesBefore + placed.lanesBehind;
    const width = Math.max(
      heading + nodeX - left - nodeOffset,
      nodeOffset + 22 + lanes * laneWidth,
      84,
    );
    columns.push({ channel, left, width, nodeX });
    left += width;
  }
  const columnX = new Map(columns.map(({ channel, nodeX }) => [channel.name, nodeX]));
  return {
    width: Math.ceil(left + margin),
    height: graph.rows.length * rowHeight,
    rowHeight,
    labelsWidth,
    rows: graph.rows.map(({ name, label }) => ({ name, label, y: yOf.get(name) ?? 0 })),
    columns,
    nodes,
    links,
    buses: buses.map((bus) => ({ ...bus, ticks: bus.ticks.map((tick) => reach(tick, columnX)) })),
  };
}

function reach(
  tick: Bus['ticks'][number],
  columnX: ReadonlyMap<string, number>,
): Bus['ticks'][number] {
  const x = columnX.get(tick.edge.fromChannel ?? '');
  return x === undefined ? tick : { ...tick, x };
}

/** The default channel has a star. */
export function headingOf({ name, isDefault }: GraphChannel): string {
  return isDefault ? `${name} ★` : name;
}

function placeEdges(
  edges: readonly GraphEdge[],
  nodes: readonly GraphNode[],
  yOf: ReadonlyMap<string, number>,
  comesFromLeft: (edge: GraphEdge) => boolean,
  steps: Steps,
): {
  readonly links: Omit<Link, 'x'>[];
  readonly buses: Omit<Bus, 'x'>[];
  readonly lanesBefore: number;
  readonly lanesBehind: number;
} {
  const ys = nodes.map(({ name }) => yOf.get(name) ?? 0).toSorted((a, b) => a - b);
  const order = new Map(ys.map((y, index) => [y, index]));
  const links: Omit<Link, 'x'>[] = [];
  const beside: GraphEdge[] = [];
  for (const edge of edges) {
    const from = yOf.get(edge.from) ?? 0;
    const to = yOf.get(edge.to) ?? 0;
    if (from === to) continue;
    const apart = Math.abs((order.get(from) ?? 0) - (order.get(to) ?? 0));
    if (edge.kind === 'replaces' && apart === 1 && edge.fromChannel === undefined) {
      links.push({ edge, from, to });
      continue;
    }
    beside.push(edge);
  }
  // Left of the nodes: `replaces`. Right of them: `skips` and `skipRange`. Edges from another channel are
  // drawn on the side of that channel.
  const groups = [
    ...groupBy(beside, (edge) =>
      [edge.kind, edge.to, edge.fromChannel !== undefined, comesFromLeft(edge)].join(' '),
    ).values(),
  ];
  const isBefore = ([edge]: readonly GraphEdge[]): boolean =>
    edge !== undefined &&
    (edge.fromChannel === undefined ? edge.kind === 'replaces' : comesFromLeft(edge));
  const before = assignLanes(groups.filter(isBefore), -1, yOf, steps);
  const behind = assignLanes(
    groups.filter((group) => !isBefore(group)),
    1,
    yOf,
    steps,
  );
  return {
    links,
    buses: [...before.buses, ...behind.buses],
    lanesBefore: before.lanes,
    lanesBehind: behind.lanes,
  };
}

/** The lines to draw. Of ranges that overlap, those nearest to the head are chosen. */
function choose(spans: readonly Span[], steps: Steps): ReadonlySet<Span> {
  const drawn = new Set(spans.filter(({ weight }) => weight === 0));
  const ranges = spans.filter(({ weight }) => weight > 0).toSorted((a, b) => a.top - b.top);
  // From the top down: a range that ends above this one ends above all that follow.
  let open: Span[] = [];
  for (const span of ranges) {
    steps.count += open.length;
    open = open.filter(({ bottom }) => bottom >= span.top);
    if (open.length >= maxRanges) continue;
    open.push(span);
    drawn.add(span);
  }
  return drawn;
}

interface Span {
  readonly edges: readonly GraphEdge[];
  readonly y: number;
  readonly top: number;
  readonly bottom: number;
  /** Positive for ranges, of which some may be drawn as stubs. */
  readonly weight: number;
}

/** Where more lines overlap, the rest share the outermost lane: a reader could not follow more. */
const maxLanes = 100;

/** The first lane in which nothing touches the line. */
function laneFor(span: Span, lanes: readonly (readonly Span[])[], steps: Steps): number {
  const free = lanes.findIndex((lane) =>
    lane.every((other) => {
      steps.count++;
      return other.bottom < span.top || other.top > span.bottom;
    }),
  );
  return free < 0 ? Math.min(lanes.length, maxLanes - 1) : free;
}

interface Steps {
  count: number;
}

/** Gives each line a lane, short ones next to the nodes; lines in one lane do not touch. */
function assignLanes(
  groups: readonly (readonly GraphEdge[])[],
  side: -1 | 1,
  yOf: ReadonlyMap<string, number>,
  steps: Steps,
): { readonly buses: Omit<Bus, 'x'>[]; readonly lanes: number } {
  const spans = groups
    .map((edges): Span => {
      const y = yOf.get(edges[0]?.to ?? '') ?? 0;
      const all = [y, ...edges.map(({ from }) => yOf.get(from) ?? 0)];
      const isMarked = edges.some(
        ({ isOnPath, breaks, fromChannel }) =>
          isOnPath || breaks !== undefined || fromChannel !== undefined,
      );
      const isRange = edges[0]?.kind === 'skipRange';
      const weight = isMarked || !isRange ? 0 : 1;
      return { edges, y, top: smallest(all), bottom: largest(all), weight };
    })
    .toSorted((a, b) => a.bottom - a.top - (b.bottom - b.top) || a.y - b.y);
  const drawn = choose(spans, steps);
  const lanes: Span[][] = [];
  const buses: Omit<Bus, 'x'>[] = [];
  for (const span of spans) {
    const isStub = !drawn.has(span);
    const lane = isStub ? 0 : laneFor(span, lanes, steps);
    if (!isStub) (lanes[lane] ??= []).push(span);
    const [first] = span.edges;
    if (first === undefined) continue;
    buses.push({
      to: first.to,
      kind: first.kind,
      laneX: side * (18 + lane * laneWidth),
      y: span.y,
      ticks: span.edges.map((edge) => ({ edge, y: yOf.get(edge.from) ?? 0 })),
      isStub,
    });
  }
  return { buses, lanes: lanes.length };
}
