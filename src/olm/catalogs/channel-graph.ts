import type { ChannelEntry } from './catalog.js';
import { compareBytes } from '../../text/go/index.js';

/** Rule: `Channel.Head` of operator-registry's model; a channel has exactly one. */
export function channelHeads(entries: readonly ChannelEntry[]): ChannelEntry[] {
  const incoming = new Set<string>();
  for (const { replaces, skips } of entries) {
    if (replaces !== '') incoming.add(replaces);
    for (const skip of skips) incoming.add(skip);
  }
  return entries.filter(({ name }) => !incoming.has(name));
}

/** `replaces` must reach all that is not skipped. Rule: `validateReplacesChain` of operator-registry's model. */
export function replacesChainProblem(entries: readonly ChannelEntry[]): string | undefined {
  const heads = channelHeads(entries);
  const [head] = heads;
  if (head === undefined) return 'no channel head found in graph';
  if (heads.length > 1) {
    const names = heads.map(({ name }) => name).sort(compareBytes);
    return `multiple channel heads found in graph: ${names.join(', ')}`;
  }
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const skipped = new Set(entries.flatMap(({ skips }) => skips));
  const chain = [head.name];
  const reached = new Set(chain);
  for (let current: ChannelEntry | undefined = head; current !== undefined;) {
    const { replaces } = current;
    // An edge to a skipped entry does not count, so what lies behind it is not reached by it.
    if (skipped.has(replaces)) break;
    if (reached.has(replaces)) {
      const cycle = [...chain.slice(chain.indexOf(replaces)), replaces];
      return `detected cycle in replaces chain of upgrade graph: ${cycle.join(' -> ')}`;
    }
    chain.push(replaces);
    reached.add(replaces);
    current = byName.get(replaces);
  }
  const stranded = [...byName.keys()]
    .filter((name) => !reached.has(name) && !skipped.has(name))
    .sort(compareBytes);
  if (stranded.length === 0) return undefined;
  return `channel contains one or more stranded bundles: ${stranded.join(', ')}`;
}
