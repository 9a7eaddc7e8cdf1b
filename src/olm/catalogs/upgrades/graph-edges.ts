/** As many as a picture can show: each entry may update each other one, which gives millions. */
import { InvalidVersionError } from '../../../text/versions/index.js';
import { type Origin, skipRangeOf } from './edges.js';
import type { ChannelEntry } from '../catalog.js';
import type { Edge, Step } from './upgrade-path.js';
import { type ChannelState, originOf, type PackageState } from './package-state.js';
import { addTo } from '../../../text/group.js';
import { valueUnless } from '../../once.js';

type Kind = Edge['kind'];

export interface GraphEdge {
  readonly channel: string;
  /** Where it starts, if that is no entry of the channel in which it ends. */
  readonly fromChannel?: string;
  readonly from: string;
  readonly to: string;
  readonly kind: Kind;
  readonly isOnPath: boolean;
  /** Damage of the update. */
  readonly breaks?: string;
}

/** A channel, and the entries from which its updates may start. */
interface ChannelOrigins {
  readonly channel: ChannelState;
  readonly origins: readonly Origin[];
}

export interface EdgeBudget {
  readonly edges: number;
  /** How many times a range may be compared with a version. */
  readonly comparisons: number;
}

const defaultBudget: EdgeBudget = { edges: 10_000, comparisons: 1_000_000 };

export interface GraphEdges {
  readonly edges: readonly GraphEdge[];
  readonly leftOut: readonly string[];
}

/** In this order: edges of the path, `replaces`, `skips`, and ranges from the head down. */
export function graphEdges(
  channels: readonly ChannelOrigins[],
  path: GraphPath,
  breaks: (from: string, to: string) => string | undefined = () => undefined,
  budget: EdgeBudget = defaultBudget,
): GraphEdges {
  const read = channels.map((each, index) => new ChannelEdges(each, index, path));
  const ranges = { left: budget.comparisons, unread: 0 };
  const found: Found[] = [];
  const without = new Map<Kind, number>();
  for (const edges of [
    ...read.map((each) => each.onPath()),
    ...read.map((each) => each.replaces()),
    ...read.map((each) => each.skips()),
    ...read.map((each) => each.ranges(ranges)),
  ]) {
    for (const edge of edges) {
      if (found.length < budget.edges) found.push(edge);
      else without.set(edge.kind, (without.get(edge.kind) ?? 0) + 1);
    }
  }
  const shown = found.map(({ position, ...edge }) => {
    const reason = breaks(edge.from, edge.to);
    return { position, edge: { ...edge, ...(reason !== undefined && { breaks: reason }) } };
  });
  return {
    edges: shown.toSorted(byPosition).map(({ edge }) => edge),
    leftOut: sentences(without, ranges.unread, budget),
  };
}

type Position = readonly [channel: number, entry: number, origin: number];

interface Found extends GraphEdge {
  readonly position: Position;
}

function byPosition(
  { position: a }: { position: Position },
  { position: b }: { position: Position },
) {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function sentences(
  without: ReadonlyMap<Kind, number>,
  unread: number,
  { edges, comparisons }: EdgeBudget,
): string[] {
  return [
    ...[...without].map(
      ([kind, count]) =>
        `${count} ${count === 1 ? 'update' : 'updates'} by ${kind} are left out: a picture shows at most ${edges}`,
    ),
    ...(unread === 0
      ? []
      : [
          `the ranges of ${unread} ${unread === 1 ? 'entry' : 'entries'} farthest from the head are left out: at most ${comparisons} versions are compared`,
        ]),
  ];
}

class ChannelEdges {
  private readonly originAt: ReadonlyMap<string, number>;
  /** Pairs of the path, which come first and once. */
  private readonly shown: ReadonlySet<number>;
  private readonly steps: readonly Pair[];

  constructor(
    private readonly given: ChannelOrigins,
    private readonly index: number,
    path: GraphPath,
  ) {
    const { channel, origins } = given;
    const entryAt = new Map(channel.entries.map(({ name }, at) => [name, at]));
    this.originAt = new Map(origins.map(({ name }, at) => [name, at]));
    this.steps = path.steps.flatMap((step): Pair[] => {
      const [entry, origin] = [entryAt.get(step.to), this.originAt.get(step.from ?? '')];
      const isHere = step.channel === channel.name && entry !== undefined && origin !== undefined;
      return isHere ? [{ entry, origin }] : [];
    });
    this.shown = new Set(this.steps.map((pair) => this.keyOf(pair)));
  }

  *onPath(): Generator<Found> {
    for (const pair of this.steps) {
      const entry = this.given.channel.entries[pair.entry];
      const origin = this.given.origins[pair.origin];
      if (entry === undefined || origin === undefined) continue;
      if (entry.replaces === origin.name) yield this.edge(pair, 'replaces');
      else if (entry.skips?.includes(origin.name)) yield this.edge(pair, 'skips');
      else if (covers(entry, origin)) yield this.edge(pair, 'skipRange');
    }
  }

  *replaces(): Generator<Found> {
    for (const [entry, { replaces = '' }] of this.given.channel.entries.entries()) {
      yield* this.named(entry, [replaces], 'replaces');
    }
  }

  *skips(): Generator<Found> {
    for (const [entry, { replaces, skips = [] }] of this.fromHead()) {
      const others = [...new Set(skips)].filter((name) => name !== replaces);
      yield* this.named(entry, others, 'skips');
    }
  }

  *ranges(budget: { left: number; unread: number }): Generator<Found> {
    const { origins } = this.given;
    for (const [at, entry] of this.fromHead()) {
      if (skipRangeOf(entry) === undefined) continue;
      if (budget.left < origins.length) {
        budget.unread++;
        continue;
      }
      budget.left -= origins.length;
      const named = new Set([entry.replaces, ...(entry.skips ?? [])]);
      for (const [index, origin] of origins.entries()) {
        const pair = { entry: at, origin: index };
        if (named.has(origin.name) || this.shown.has(this.keyOf(pair))) continue;
        if (covers(entry, origin)) yield this.edge(pair, 'skipRange');
      }
    }
  }

  private fromHead(): [index: number, entry: ChannelEntry][] {
    const { chain, entries } = this.given.channel;
    const at = new Map(entries.map((entry, index) => [entry, index]));
    return [...new Set([...chain, ...entries])].map((entry) => [at.get(entry) ?? 0, entry]);
  }

  private *named(entry: number, names: readonly string[], kind: Kind): Generator<Found> {
    for (const name of names) {
      const origin = this.originAt.get(name);
      if (origin === undefined || this.shown.has(this.keyOf({ entry, origin }))) continue;
      yield this.edge({ entry, origin }, kind);
    }
  }

  private edge(pair: Pair, kind: Kind): Found {
    const { channel, origins } = this.given;
    return {
      channel: channel.name,
      from: origins[pair.origin]?.name ?? '',
      to: channel.entries[pair.entry]?.name ?? '',
      kind,
      isOnPath: this.shown.has(this.keyOf(pair)),
      position: [this.index, pair.entry, pair.origin],
    };
  }

  private keyOf({ entry, origin }: Pair): number {
    return entry * this.given.origins.length + origin;
  }
}

interface Pair {
  readonly entry: number;
  readonly origin: number;
}

function covers(entry: ChannelEntry, { version }: Origin): boolean {
  return valueUnless(InvalidVersionError, () => skipRangeOf(entry)?.(version)) === true;
}

export class GraphPath {
  private readonly names: ReadonlySet<string>;

  constructor(
    readonly steps: readonly Step[],
    readonly installed: string | undefined,
  ) {
    this.names = new Set(
      steps.flatMap(({ from, to, channel }) => [
        nodeKey(channel, to),
        ...(from === undefined ? [] : [nodeKey(channel, from)]),
      ]),
    );
  }

  hasNode(channel: string, name: string): boolean {
    // A path without steps is the installed entry, in every channel that has it.
    if (this.steps.length === 0) return name === this.installed;
    return this.names.has(nodeKey(channel, name));
  }
}

function nodeKey(channel: string, name: string): string {
  return JSON.stringify([channel, name]);
}

const maxCrossing = 1_000;

/** Entries that replace or skip, and heads that a range covers. Each starts in the channel drawn nearest. */
export function crossingEdges(
  channels: readonly ChannelOrigins[],
  state: PackageState,
  breaks: (from: string, to: string) => string | undefined = () => undefined,
): GraphEdge[] {
  const columns = columnsByName(channels.map(({ channel }) => channel));
  const heads = channels.flatMap(({ channel: { chain } }) =>
    chain.slice(0, 1).map(({ name }) => originOf(name, [state])),
  );
  const found: GraphEdge[] = [];
  for (const [at, { channel, origins }] of channels.entries()) {
    const own = new Set(origins.map(({ name }) => name));
    for (const { from, to, kind } of updatesInto(channel, heads)) {
      const nearest = columns.get(from)?.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
      if (own.has(from) || nearest === undefined) continue;
      if (found.length >= maxCrossing) return found;
      const reason = breaks(from, to);
      found.push({
        channel: channel.name,
        from,
        to,
        kind,
        isOnPath: false,
        fromChannel: channels[nearest]?.channel.name ?? '',
        ...(reason !== undefined && { breaks: reason }),
      });
    }
  }
  return found;
}

function* updatesInto(
  { entries, chain }: ChannelState,
  heads: readonly Origin[],
): Generator<Pick<GraphEdge, 'from' | 'to' | 'kind'>> {
  const named = new Set<string>();
  for (const { name: to, replaces = '', skips = [] } of entries) {
    if (replaces !== '') yield { from: replaces, to, kind: 'replaces' };
    for (const from of new Set(skips)) if (from !== replaces) yield { from, to, kind: 'skips' };
    for (const from of [replaces, ...skips]) named.add(from);
  }
  for (const head of heads) {
    if (named.has(head.name)) continue;
    const taker = chain.find((entry) => covers(entry, head));
    if (taker !== undefined) yield { from: head.name, to: taker.name, kind: 'skipRange' };
  }
}

function columnsByName(channels: readonly ChannelState[]): Map<string, number[]> {
  const columns = new Map<string, number[]>();
  for (const [at, { entries }] of channels.entries()) {
    for (const { name } of entries) addTo(columns, name, at);
  }
  return columns;
}
