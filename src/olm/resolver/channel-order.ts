/**
 * The order of a channel: from its head along `replaces`, without the entries that others skip.
 * Rule: `sortChannel` of OLM classic. Version numbers are never compared.
 */
import type { Entry } from './entry.js';
import { ResolutionError } from '../catalogs/upgrades/index.js';

/** `entries` share package and channel. @throws ResolutionError when they are not one chain */
export function orderChannel(entries: readonly Entry[]): readonly Entry[] {
  const [sample] = entries;
  if (sample === undefined) return entries;
  const where = `in channel ${JSON.stringify(sample.channel)} of package ${JSON.stringify(sample.package)}`;
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const replaced = new Set<Entry>();
  const next = new Map<Entry, Entry>();
  const skipped = new Set<string>();
  for (const entry of entries) {
    const before = entry.replaces === '' ? undefined : byName.get(entry.replaces);
    if (before !== undefined) {
      replaced.add(before);
      next.set(entry, before);
    }
    for (const skip of entry.skips) {
      const target = byName.get(skip);
      if (target === undefined) continue;
      replaced.add(target);
      skipped.add(skip);
    }
  }
  const heads = entries.filter((entry) => !replaced.has(entry));
  if (heads.length === 0) {
    throw new ResolutionError(
      `no channel heads (entries not replaced by another entry) found ${where}`,
    );
  }
  const chains = heads.map((head) => {
    const chain: Entry[] = [];
    const visited = new Set<Entry>();
    for (let entry: Entry | undefined = head; entry !== undefined; entry = next.get(entry)) {
      if (visited.has(entry)) {
        throw new ResolutionError(
          `a cycle exists in the chain of replacement beginning with ${JSON.stringify(head.name)} ${where}`,
        );
      }
      visited.add(entry);
      if (!skipped.has(entry.name)) chain.push(entry);
    }
    return chain;
  });
  if (chains.length > 1) {
    throw new ResolutionError(
      `a unique replacement chain within a channel is required to determine the relative order between channel entries, but ${chains.length} replacement chains were found ${where}: ${chains.map(describeChain).join(', ')}`,
    );
  }
  return chains[0] ?? [];
}

function describeChain(chain: readonly Entry[]): string {
  const [first] = chain;
  const last = chain.at(-1);
  if (first === undefined || last === undefined) return '[]';
  return first === last ? first.name : `${first.name}...${last.name}`;
}
