/** A catalog as the resolver searches it: entries in listed order, with indexes by package, API and label. */
import { catalogId, type CatalogKey, type Entry } from './entry.js';
import { matches, type Predicate } from './predicate.js';
import type { Requirement } from './requirement.js';
import { addTo, compareValues, groupBy } from '../../text/group.js';
import { channelOrder } from '../catalogs/upgrades/channel-order.js';
import { ResolutionError } from '../catalogs/upgrades/upgrade-path.js';
import { attempt } from '../once.js';

export class SearchedCatalog {
  readonly id: string;
  private readonly byPackage = new Map<string, number[]>();
  private readonly byApi = new Map<string, number[]>();
  private readonly byLabel = new Map<string, number[]>();
  private readonly groups: ChannelGroup[] = [];
  /** By id, where entries share one. */
  private readonly twinsById: ReadonlyMap<string, readonly Entry[]>;
  /** No bundle calls itself by another package's name, so that packages and channels are what they seem. */
  private isPlain = true;
  private readonly best = new Map<Requirement, readonly number[]>();
  /** By position. */
  private idRanks: Int32Array | undefined;

  /** `entries` are numbered from `firstSlot`; indexes here hold their positions in the list. */
  constructor(
    readonly key: CatalogKey,
    readonly priority: number,
    readonly entries: readonly Entry[],
    readonly firstSlot: number,
    readonly error?: string,
  ) {
    this.id = catalogId(key);
    const groups = new Map<string, ChannelGroup>();
    for (const [position, entry] of entries.entries()) {
      const { bundle, package: name, channel } = entry;
      addTo(this.byPackage, name, position);
      for (const other of new Set(bundle.packages.map((it) => it.name))) {
        if (other === name) continue;
        addTo(this.byPackage, other, position);
        this.isPlain = false;
      }
      for (const api of bundle.apis) appendOnce(this.byApi, api, position);
      for (const label of bundle.labels) appendOnce(this.byLabel, label, position);
      const key = `${name}\n${channel}`;
      let group = groups.get(key);
      if (group === undefined) groups.set(key, (group = new ChannelGroup()));
      group.entries.push(entry);
      this.groups.push(group);
      if (channel === '') this.isPlain = false;
    }
    this.twinsById = findTwins(entries);
  }

  /** The entries that share its id: itself, and those of other packages with such a channel and CSV. Undefined when it is alone. */
  twins(entry: Entry): readonly Entry[] | undefined {
    return this.twinsById.size === 0 ? undefined : this.twinsById.get(entry.id);
  }

  /** The place of an entry's id in their order; those of one id have places of their own. */
  idRank({ slot }: Entry): number {
    if (this.idRanks === undefined) {
      const sorted = this.entries.toSorted((a, b) => compareValues(a.id, b.id));
      this.idRanks = new Int32Array(sorted.length);
      for (const [rank, entry] of sorted.entries()) {
        this.idRanks[entry.slot - this.firstSlot] = rank;
      }
    }
    return this.idRanks[slot - this.firstSlot] ?? -1;
  }

  /** Bundles that a subscription or a dependency means by a package name, in listed order. */
  ofPackage(name: string): Entry[] {
    return this.at(this.byPackage.get(name) ?? []);
  }

  groupOf(entry: Entry): ChannelGroup {
    const group = this.groups[entry.slot - this.firstSlot];
    if (group === undefined) throw new RangeError(`${entry.id} is not of ${this.id}`);
    return group;
  }

  order(entries: readonly Entry[]): readonly Entry[] {
    const [sample] = entries;
    if (sample === undefined) return entries;
    const group = this.groupOf(sample);
    const isWhole =
      entries.length === group.entries.length &&
      // A subscription that names no catalog means the channels of all.
      entries.every((entry) => entry.catalog === this.key && this.groupOf(entry) === group);
    return isWhole ? group.order() : orderChannel(entries);
  }

  /** Whole channels are ordered before the requirement filters. @throws ResolutionError */
  preferred(requirement: Requirement): readonly number[] {
    if (this.entries.length === 0) return none;
    let best = this.best.get(requirement);
    if (best === undefined) {
      const predicate = requirement.read().predicate;
      const positions = this.narrow(predicate);
      const possible = positions === undefined ? this.entries : this.at(positions);
      const found = this.isPlain
        ? this.inGroups(possible, predicate)
        : this.search(possible, predicate);
      this.best.set(requirement, (best = found.map(({ slot }) => slot)));
    }
    return best;
  }

  private inGroups(possible: readonly Entry[], predicate: Predicate): readonly Entry[] {
    const holds = (entry: Entry): boolean => matches(predicate, entry.bundle, entry.package);
    const groups = [...new Set(possible.map((entry) => this.groupOf(entry)))];
    if (groups.length > 1) groups.sort((a, b) => compareGroups(a.entries, b.entries));
    return groups.flatMap((group) => {
      // A channel without order stops resolution only if something in it meets the requirement.
      const order = group.isOrdered || group.entries.some(holds) ? group.order() : [];
      return order.filter(holds);
    });
  }

  private search(possible: readonly Entry[], predicate: Predicate): readonly Entry[] {
    const holds = (entry: Entry): boolean => matches(predicate, entry.bundle, entry.package);
    return groupsAround(this, possible.filter(holds))
      .sort(compareGroups)
      .flatMap((group) => this.order(group))
      .filter(holds);
  }

  /** A superset of the matching positions, ascending, or undefined when no index narrows the search. */
  private narrow(predicate: Predicate): readonly number[] | undefined {
    switch (predicate.kind) {
      case 'gvk': {
        const { group, version, kind } = predicate.api;
        return this.byApi.get(`${group}\n${version}\n${kind}`) ?? [];
      }
      case 'package':
        return this.byPackage.get(predicate.name) ?? [];
      case 'label':
        return this.byLabel.get(predicate.label) ?? [];
      case 'all':
        return smallest(predicate.parts.map((part) => this.narrow(part)));
      case 'any': {
        const union = new Set<number>();
        for (const part of predicate.parts) {
          const positions = this.narrow(part);
          if (positions === undefined) return undefined;
          for (const position of positions) union.add(position);
        }
        return [...union].sort((a, b) => a - b);
      }
      case 'version':
      case 'cel':
      case 'not':
        return undefined;
    }
  }

  private at(positions: readonly number[]): Entry[] {
    return positions.map((position) => this.entries[position] as Entry);
  }
}

const none: readonly number[] = [];

function findTwins(entries: readonly Entry[]): ReadonlyMap<string, readonly Entry[]> {
  const twins = new Map<string, Entry[]>();
  const firsts = new Map<string, Entry>();
  for (const entry of entries) {
    const first = firsts.get(entry.id);
    if (first === undefined) firsts.set(entry.id, entry);
    else if (twins.has(entry.id)) addTo(twins, entry.id, entry);
    else twins.set(entry.id, [first, entry]);
  }
  return twins;
}

function smallest(
  lists: readonly (readonly number[] | undefined)[],
): readonly number[] | undefined {
  let best: readonly number[] | undefined;
  for (const list of lists) {
    if (list !== undefined && (best === undefined || list.length < best.length)) best = list;
  }
  return best;
}

function appendOnce(map: Map<string, number[]>, key: string, position: number): void {
  if (map.get(key)?.at(-1) !== position) addTo(map, key, position);
}

class ChannelGroup {
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
    return (this.ordered ??= attempt(ResolutionError, () => orderChannel(this.entries)));
  }
}

/** @param entries share package and channel @throws ResolutionError when they are not one chain */
function orderChannel(entries: readonly Entry[]): readonly Entry[] {
  const [sample] = entries;
  if (sample === undefined) return entries;
  return channelOrder(sample.package, { name: sample.channel, entries });
}

/** Rule: `getBundleVariables`, `sortBundles`. Package by package, with whatever else calls itself by their package's name. */
function groupsAround(catalog: SearchedCatalog, found: readonly Entry[]): (readonly Entry[])[] {
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
function compareGroups([a]: readonly Entry[], [b]: readonly Entry[]): number {
  if (a === undefined || b === undefined) return 0;
  if (a.inDefaultChannel !== b.inDefaultChannel) return a.inDefaultChannel ? -1 : 1;
  return compareValues(a.package, b.package) || compareValues(a.channel, b.channel);
}

function sourceMembers(catalog: SearchedCatalog, entry: Entry): readonly Entry[] {
  const { installed, name, channel } = entry;
  if (installed) return catalog.entries.filter((other) => other.name === name);
  return catalog
    .ofPackage(entry.package)
    .filter((other) => channel === '' || other.channel === channel);
}
