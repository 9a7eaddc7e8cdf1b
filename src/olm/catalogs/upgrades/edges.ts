import {
  InvalidVersionError,
  type Version,
  type VersionPredicate,
  parseBlangRange,
} from '../../../text/versions/index.js';
import type { Channel, ChannelEntry } from '../catalog.js';
import { type Edge, ResolutionError } from './model.js';
import { quote } from '../../../text/go/index.js';
import { groupBy } from '../../../text/group.js';

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
    try {
      if (skipRangeOf(entry)?.(installed.version)) {
        edges.push({ kind: 'skipRange', channel, range: entry.skipRange ?? '' });
      }
    } catch (error) {
      if (!(error instanceof InvalidVersionError)) throw error;
      if (edges.length > 0) continue;
      throw new ResolutionError(`skipRange of entry ${quote(entry.name)}: ${error.message}`);
    }
  }
  return edges;
}

/** Catalogs are asked again and again: an entry's range is parsed once while the entry is in use. */
const ranges = new WeakMap<ChannelEntry, VersionPredicate>();

/** The predicate throws InvalidVersionError where OLM would crash. */
export function skipRangeOf(entry: ChannelEntry): VersionPredicate | undefined {
  const { skipRange } = entry;
  if (skipRange === undefined || skipRange === '') return undefined;
  const known = ranges.get(entry);
  if (known !== undefined) return known;
  const range = readRange(skipRange);
  ranges.set(entry, range);
  return range;
}

function readRange(text: string): VersionPredicate {
  try {
    return parseBlangRange(text);
  } catch (error) {
    if (error instanceof InvalidVersionError) return () => false;
    throw error;
  }
}
