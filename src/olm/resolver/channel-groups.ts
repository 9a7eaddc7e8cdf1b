/** The channels that a dependency looks at, and which comes first. Rule: `getBundleVariables` and `sortBundles` of OLM classic. */
import type { Entry } from './entry.js';
import { channelOrder, ResolutionError } from '../catalogs/upgrades/index.js';
import { compareValues, groupBy } from '../../text/group.js';

export class ChannelGroup {
  readonly entries: Entry[] = [];
  private ordered: readonly Entry[] | ResolutionError | undefined;

  /** @throws ResolutionError */
  order(): readonly Entry[] {
    const order = this.orderOrError();
    if (order instanceof ResolutionError) throw order;
    return order;
  }

  get isOrdered(): boolean {
    return !(this.orderOrError() instanceof ResolutionError);
  }

  private orderOrError(): readonly Entry[] | ResolutionError {
    if (this.ordered === undefined) {
      try {
        this.ordered = orderChannel(this.entries);
      } catch (error) {
        if (!(error instanceof ResolutionError)) throw error;
        this.ordered = error;
      }
    }
    return this.ordered;
  }
}

/** @param entries share package and channel @throws ResolutionError when they are not one chain */
export function orderChannel(entries: readonly Entry[]): readonly Entry[] {
  const [sample] = entries;
  if (sample === undefined) return entries;
  return channelOrder(sample.package, { name: sample.channel, entries });
}

interface Catalog {
  readonly entries: readonly Entry[];
  ofPackage(name: string): readonly Entry[];
  groupOf(entry: Entry): ChannelGroup;
}

/** Package by package, with whatever else calls itself by their package's name. */
export function groupsAround(catalog: Catalog, found: readonly Entry[]): (readonly Entry[])[] {
  const sources = new Map<string, readonly Entry[]>();
  for (const entry of found) {
    // Installed CSVs of one package without subscription look alike to OLM, so only the first counts.
    const key = `${entry.package}\n${entry.installed ? (entry.subscription ?? '') : entry.channel}`;
    if (!sources.has(key)) sources.set(key, sourceMembers(catalog, entry));
  }
  const union = new Set([...sources.values()].flat());
  const members = catalog.entries.filter((entry) => union.has(entry));
  return [...groupBy(members, (entry) => catalog.groupOf(entry)).values()];
}

/** Default channels before all others, whatever the package; then package name, then channel name. */
export function compareGroups([a]: readonly Entry[], [b]: readonly Entry[]): number {
  if (a === undefined || b === undefined) return 0;
  if (a.inDefaultChannel !== b.inDefaultChannel) return a.inDefaultChannel ? -1 : 1;
  return compareValues(a.package, b.package) || compareValues(a.channel, b.channel);
}

function sourceMembers(catalog: Catalog, entry: Entry): readonly Entry[] {
  const { installed, name, channel } = entry;
  if (installed) return catalog.entries.filter((other) => other.name === name);
  return catalog
    .ofPackage(entry.package)
    .filter((other) => channel === '' || other.channel === channel);
}
