/** Updates that lead from one channel into another: what a Subscription takes once its channel is changed. */
import { covers, type ChannelOrigins, type GraphEdge } from './graph-edges.js';
import type { Origin } from './edges.js';
import { originOf, type ChannelState, type PackageState } from './package-state.js';
import { addTo } from '../../../text/group.js';

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
      const nearest = nearestOf(columns.get(from) ?? [], at);
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

function nearestOf(columns: readonly number[], at: number): number | undefined {
  return columns.toSorted((a, b) => Math.abs(a - at) - Math.abs(b - at))[0];
}
