import {
  type BlangComparison,
  compareVersions,
  InvalidVersionError,
  parseBlangRange,
  readBlangRange,
  type Version,
  type VersionPredicate,
} from '../../../text/versions/index.js';
import type { Channel, ChannelEntry } from '../catalog.js';
import { type Edge, ResolutionError } from './upgrade-path.js';
import { quote } from '../../../text/go/index.js';
import { groupBy } from '../../../text/group.js';
import { oncePer, attempt, valueUnless } from '../../once.js';

export interface Origin {
  readonly name: string;
  readonly version: Version;
}

export interface PlacedEntry {
  readonly entry: ChannelEntry;
  readonly channel: string;
}

export function entriesByName(channels: readonly Channel[]): Map<string, PlacedEntry[]> {
  const placed = channels.flatMap(({ name, entries }) =>
    entries.map((entry) => ({ entry, channel: name })),
  );
  return groupBy(placed, ({ entry }) => entry.name);
}

/**
 * A range that cannot be parsed makes no edge. @throws ResolutionError where only a range that crashes OLM could tell
 */
export function edgesTo(entries: readonly PlacedEntry[], installed: Origin): Edge[] {
  const edges: Edge[] = [];
  for (const { entry, channel } of entries) {
    if (entry.replaces === installed.name) edges.push({ kind: 'replaces', channel });
    if (entry.skips?.includes(installed.name)) edges.push({ kind: 'skips', channel });
    const covers = attempt(InvalidVersionError, () => skipRangeOf(entry)?.(installed.version));
    if (covers === true) edges.push({ kind: 'skipRange', channel, range: entry.skipRange });
    if (covers instanceof InvalidVersionError && edges.length === 0) {
      throw new ResolutionError(`skipRange of entry ${quote(entry.name)}: ${covers.message}`);
    }
  }
  return edges;
}

/** Undefined without a range that can be read; the predicate throws InvalidVersionError where OLM would crash. */
export const skipRangeOf = oncePer(({ skipRange }: ChannelEntry): VersionPredicate | undefined =>
  skipRange === '' ? undefined : valueUnless(InvalidVersionError, () => parseBlangRange(skipRange)),
);

/** A range on which OLM crashes makes no edge. */
export const edgesOf = oncePer(
  (entries: readonly ChannelEntry[]) => new ChannelEdges(entries, false),
);

/** The same with the entries whose range makes OLM crash: `edgesTo` throws for them. */
export const possibleEdgesOf = oncePer(
  (entries: readonly ChannelEntry[]) => new ChannelEdges(entries, true),
);

type Interval = readonly [from: number, to: number];

/**
 * Ranges cut all versions into segments: 2i + 1 is the version i, 2i what lies below it; none is half covered.
 * Comparing each entry with each version would take millions of comparisons for large channels.
 */
class ChannelEdges {
  /** By name, the places of the entries that replace or skip it. */
  private readonly naming = new Map<string, number[]>();
  /** None for an entry without a range, and where nothing is covered. */
  private readonly intervals = new Map<number, readonly Interval[]>();
  private readonly bounds: readonly Version[];
  /** How many comparisons {@link from} makes for each origin. */
  readonly comparisons: number;
  /** By segment, the first entry that covers it. */
  private readonly nearest: Int32Array;

  constructor(
    private readonly entries: readonly ChannelEntry[],
    isCrashEdge: boolean,
  ) {
    const ranges: (readonly [place: number, comparisons: readonly BlangComparison[][]])[] = [];
    for (const [place, entry] of entries.entries()) {
      const { skipRange = '' } = entry;
      for (const name of namesIn(entry)) {
        const known = this.naming.get(name);
        if (known === undefined) this.naming.set(name, [place]);
        else if (known.at(-1) !== place) known.push(place);
      }
      if (skipRange !== '') ranges.push([place, readAlternatives(skipRange, isCrashEdge)]);
    }
    this.bounds = distinct(ranges.flatMap(([, all]) => all.flat().map(({ version }) => version)));
    for (const [place, alternatives] of ranges) {
      const covered = alternatives.flatMap((each) => this.intervalsOf(each));
      if (covered.length > 0) this.intervals.set(place, covered);
    }
    this.comparisons = [...this.intervals.values()].flat().length;
    this.nearest = firstCovering(this.intervals, this.bounds.length * 2 + 1);
  }

  first(origin: Origin): ChannelEntry | undefined {
    const [named = Infinity] = this.naming.get(origin.name) ?? [];
    const covering = this.nearest[this.segmentOf(origin.version)] ?? -1;
    return this.entries[covering < 0 ? named : Math.min(named, covering)];
  }

  from(origin: Origin): ChannelEntry[] {
    const places = new Set(this.naming.get(origin.name));
    const segment = this.segmentOf(origin.version);
    for (const [place, intervals] of this.intervals) {
      if (isWithin(segment, intervals)) places.add(place);
    }
    return [...places].sort((a, b) => a - b).map((place) => this.entries[place] as ChannelEntry);
  }

  originsOf(place: number, origins: readonly Origin[]): Set<Origin> {
    const named = new Set(namesIn(this.entries[place]));
    const intervals = this.intervals.get(place) ?? [];
    const segments = this.segmentsOf(origins);
    return new Set(
      origins.filter(
        ({ name }, at) => named.has(name) || isWithin(segments[at] as number, intervals),
      ),
    );
  }

  /** Gives each of the origins once: to the first place asked for whose entry has an edge from it. */
  taker(origins: readonly Origin[]): (place: number) => Origin[] {
    const sorted = origins
      .map((origin) => ({ origin, segment: this.segmentOf(origin.version) }))
      .toSorted((a, b) => a.segment - b.segment);
    const byName = new Map(sorted.map(({ origin }, at) => [origin.name, at]));
    const left = new Untaken(sorted.length);
    return (place) => {
      const taken = namesIn(this.entries[place]).flatMap((name) => {
        const at = byName.get(name);
        return at === undefined || left.from(at) !== at ? [] : [left.take(at)];
      });
      for (const [from, to] of this.intervals.get(place) ?? []) {
        const start = firstPlace(sorted.length, (at) => (sorted[at]?.segment ?? 0) >= from);
        for (let at = left.from(start); (sorted[at]?.segment ?? to) < to; at = left.from(at)) {
          taken.push(left.take(at));
        }
      }
      return taken.flatMap((at) => sorted[at]?.origin ?? []);
    };
  }

  private readonly segmentsOf = oncePer((origins: readonly Origin[]) =>
    origins.map(({ version }) => this.segmentOf(version)),
  );

  private segmentOf(version: Version): number {
    const place = firstPlace(this.bounds.length, (at) => this.compare(at, version) >= 0);
    return place < this.bounds.length && this.compare(place, version) === 0
      ? 2 * place + 1
      : 2 * place;
  }

  private compare(at: number, version: Version): number {
    return compareVersions(this.bounds[at] as Version, version);
  }

  private intervalsOf(comparisons: readonly BlangComparison[]): Interval[] {
    let from = 0;
    let to = this.bounds.length * 2 + 1;
    const holes: number[] = [];
    for (const { operator, version } of comparisons) {
      const at = this.segmentOf(version);
      if (operator === '!=') holes.push(at);
      if (operator === '=' || operator === '>=') from = Math.max(from, at);
      if (operator === '>') from = Math.max(from, at + 1);
      if (operator === '=' || operator === '<=') to = Math.min(to, at + 1);
      if (operator === '<') to = Math.min(to, at);
    }
    const intervals: Interval[] = [];
    for (const hole of [...new Set(holes)].sort((a, b) => a - b)) {
      if (hole < from || hole >= to) continue;
      if (from < hole) intervals.push([from, hole]);
      from = hole + 1;
    }
    return from < to ? [...intervals, [from, to]] : intervals;
  }
}

function namesIn({ replaces, skips = [] }: Partial<ChannelEntry> = {}): readonly string[] {
  return replaces === undefined ? skips : [replaces, ...skips];
}

/** The first place of an order that is so, if all after it are: their number where none is. */
export function firstPlace(count: number, isSo: (place: number) => boolean): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isSo(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}

function readAlternatives(range: string, isCrashEdge: boolean): BlangComparison[][] {
  const read = valueUnless(InvalidVersionError, () => readBlangRange(range));
  const alternatives = read?.alternatives.map((each) => [...each]) ?? [];
  const crash = alternatives.findIndex(({ length }) => length === 0);
  return crash < 0 ? alternatives : alternatives.slice(0, crash + Number(isCrashEdge));
}

function distinct(versions: readonly Version[]): Version[] {
  const sorted = versions.toSorted(compareVersions);
  return sorted.filter((version, at) => {
    const before = sorted[at - 1];
    return before === undefined || compareVersions(before, version) !== 0;
  });
}

function isWithin(segment: number, intervals: readonly Interval[]): boolean {
  return intervals.some(([from, to]) => from <= segment && segment < to);
}

function firstCovering(
  ranges: ReadonlyMap<number, readonly Interval[]>,
  segments: number,
): Int32Array {
  const first = new Int32Array(segments).fill(-1);
  const left = new Untaken(segments);
  for (const [place, intervals] of ranges) {
    for (const [from, to] of intervals) {
      for (let at = left.from(from); at < to; at = left.from(at)) first[left.take(at)] = place;
    }
  }
  return first;
}

/** Numbers below a limit of which each is taken once; those that are gone are jumped over. */
class Untaken {
  private readonly next: Int32Array;

  constructor(limit: number) {
    this.next = Int32Array.from({ length: limit + 1 }, (_, at) => at);
  }

  from(start: number): number {
    let root = start;
    while (this.next[root] !== root) root = this.next[root] as number;
    for (let at = start; at !== root;) {
      const after = this.next[at] as number;
      this.next[at] = root;
      at = after;
    }
    return root;
  }

  take(at: number): number {
    this.next[at] = at + 1;
    return at;
  }
}
