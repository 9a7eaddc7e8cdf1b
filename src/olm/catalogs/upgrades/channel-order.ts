/** `replaces` from the head down, without what is skipped. Rule: operator-lifecycle-manager 0.46 `sortChannel`. */
import type { ChannelEntry } from '../catalog.js';
import { ResolutionError } from './upgrade-path.js';
import { quote } from '../../../text/go/index.js';

type Entry = Pick<ChannelEntry, 'name' | 'replaces' | 'skips'>;

/** Entries from the head down. Throws {@link ResolutionError} for a channel without one unique chain. */
export function channelOrder<Item extends Entry>(
  packageName: string,
  channel: { readonly name: string; readonly entries: readonly Item[] },
): readonly Item[] {
  const place = `in channel ${quote(channel.name)} of package ${quote(packageName)}`;
  const graph = readGraph(channel.entries);
  const heads = channel.entries.filter((entry) => !graph.replaced.has(entry));
  if (channel.entries.length === 0) return [];
  if (heads.length === 0) {
    throw new ResolutionError(
      `no channel heads (entries not replaced by another entry) found ${place}`,
    );
  }
  const chains = heads.map((head) => followChain(head, graph, place));
  const [chain] = chains;
  if (chain !== undefined && chains.length === 1) return chain;
  throw new ResolutionError(
    `a unique replacement chain within a channel is required to determine the relative order between channel entries, but ${chains.length} replacement chains were found ${place}: ${chains.map(describeChain).join(', ')}`,
  );
}

interface Graph<Item> {
  readonly replaces: ReadonlyMap<Item, Item>;
  readonly replaced: ReadonlySet<Item>;
  readonly skipped: ReadonlySet<string>;
}

function readGraph<Item extends Entry>(entries: readonly Item[]): Graph<Item> {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const replaces = new Map<Item, Item>();
  const replaced = new Set<Item>();
  const skipped = new Set<string>();
  for (const entry of entries) {
    const below = entry.replaces === undefined ? undefined : byName.get(entry.replaces);
    if (below !== undefined) {
      replaces.set(entry, below);
      replaced.add(below);
    }
    for (const name of entry.skips ?? []) {
      const other = byName.get(name);
      if (other === undefined) continue;
      replaced.add(other);
      skipped.add(name);
    }
  }
  return { replaces, replaced, skipped };
}

function followChain<Item extends Entry>(head: Item, graph: Graph<Item>, place: string): Item[] {
  const visited = new Set<Item>();
  for (
    let current: Item | undefined = head;
    current !== undefined;
    current = graph.replaces.get(current)
  ) {
    if (visited.has(current)) {
      throw new ResolutionError(
        `a cycle exists in the chain of replacement beginning with ${quote(head.name)} ${place}`,
      );
    }
    visited.add(current);
  }
  return [...visited].filter(({ name }) => !graph.skipped.has(name));
}

function describeChain(chain: readonly Entry[]): string {
  const first = chain[0]?.name ?? '[]';
  return chain.length > 1 ? `${first}...${chain.at(-1)?.name ?? ''}` : first;
}
