/** A catalog as the resolver searches it: entries in listed order, with indexes by package, API and label. */
import { compareGroups, groupsAround } from './channel-groups.js';
import { orderChannel } from './channel-order.js';
import {
  catalogId,
  entryId,
  readBundle,
  readSkipRange,
  type CatalogKey,
  type Entry,
} from './entry.js';
import { ResolutionError } from './error.js';
import type { CatalogState } from './namespace.js';
import { matches, type Predicate } from './predicate.js';
import {
  propertyOfDependency,
  UnreadableBundleError,
  type Property,
  type Requirement,
  type Requirements,
} from './requirement.js';
import { readTolerantVersion } from './tolerant-version.js';

export class Catalog {
  readonly id: string;
  private readonly byPackage = new Map<string, number[]>();
  private readonly byApi = new Map<string, number[]>();
  private readonly byLabel = new Map<string, number[]>();
  private readonly groups = new Map<string, Entry[]>();
  private readonly orders = new Map<string, readonly Entry[] | ResolutionError>();
  private readonly ids = new Map<string, Entry[]>();
  private hasTwins = false;
  private readonly found = new Map<Requirement, readonly Entry[]>();
  private readonly best = new Map<Requirement, readonly Entry[]>();

  constructor(
    readonly key: CatalogKey,
    readonly priority: number,
    readonly entries: readonly Entry[],
    /** Why its bundles cannot be listed. */
    readonly error?: string,
  ) {
    this.id = catalogId(key);
    for (const [position, entry] of entries.entries()) {
      const { packages, apis, labels } = entry.bundle;
      for (const name of new Set([entry.package, ...packages.map((it) => it.name)])) {
        append(this.byPackage, name, position);
      }
      for (const api of new Set(apis)) append(this.byApi, api, position);
      for (const label of new Set(labels)) append(this.byLabel, label, position);
      append(this.groups, groupKey(entry), entry);
      append(this.ids, entry.id, entry);
      if ((this.ids.get(entry.id)?.length ?? 0) > 1) this.hasTwins = true;
    }
  }

  /** The entries that share an entry's id: itself, and of other packages with such a channel and CSV. */
  twins(entry: Entry): readonly Entry[] {
    return this.hasTwins ? (this.ids.get(entry.id) ?? [entry]) : [entry];
  }

  /** Bundles that a subscription or a dependency means by a package name, in listed order. */
  ofPackage(name: string): Entry[] {
    return this.at(this.byPackage.get(name) ?? []);
  }

  /** Entries that meet a requirement, in listed order. @throws ConstraintError */
  find(requirement: Requirement): readonly Entry[] {
    let found = this.found.get(requirement);
    if (found === undefined) {
      found = this.search(requirement.predicate());
      this.found.set(requirement, found);
    }
    return found;
  }

  /**
   * Entries that meet a requirement, best first. Whole channels are put in order before the requirement
   * filters them, so skipped entries never count.
   *
   * @throws ConstraintError, ResolutionError
   */
  preferred(requirement: Requirement): readonly Entry[] {
    let best = this.best.get(requirement);
    if (best === undefined) {
      const found = this.find(requirement);
      best = found.length === 0 ? found : this.inOrder(found, requirement.predicate());
      this.best.set(requirement, best);
    }
    return best;
  }

  private inOrder(found: readonly Entry[], predicate: Predicate): readonly Entry[] {
    const kept = new Set(found);
    return groupsAround(this, found)
      .sort(([a], [b]) => compareGroups(a, b))
      .flatMap((group) => this.order(group))
      .filter((entry) => kept.has(entry) || matches(predicate, entry.bundle, entry.package));
  }

  private search(predicate: Predicate): readonly Entry[] {
    const positions = this.narrow(predicate);
    const entries = positions === undefined ? this.entries : this.at(positions);
    return entries.filter((entry) => matches(predicate, entry.bundle, entry.package));
  }

  /** All entries of an entry's package and channel. */
  groupOf(entry: Entry): readonly Entry[] {
    return this.groups.get(groupKey(entry)) ?? [];
  }

  /** In channel order; `entries` share package and channel. @throws ResolutionError */
  order(entries: readonly Entry[]): readonly Entry[] {
    const [sample] = entries;
    if (sample === undefined) return entries;
    if (entries.length !== this.groupOf(sample).length) return orderChannel(entries);
    const key = groupKey(sample);
    let order = this.orders.get(key);
    if (order === undefined) {
      try {
        order = orderChannel(entries);
      } catch (error) {
        if (!(error instanceof ResolutionError)) throw error;
        order = error;
      }
      this.orders.set(key, order);
    }
    if (order instanceof ResolutionError) throw order;
    return order;
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
        return predicate.parts
          .map((part) => this.narrow(part))
          .reduce((best, other) => (other !== undefined && (best === undefined || other.length < best.length) ? other : best), undefined); // prettier-ignore
      case 'any': {
        const parts = predicate.parts.map((part) => this.narrow(part));
        const union = new Set<number>();
        for (const part of parts) {
          if (part === undefined) return undefined;
          for (const position of part) union.add(position);
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
    return positions.flatMap((position) => this.entries[position] ?? []);
  }
}

/** Rule: `registrySource.Snapshot` and `newOperatorFromBundle` of OLM classic. */
export function loadCatalog(state: CatalogState, requirements: Requirements): Catalog {
  const key = { name: state.name, namespace: state.namespace };
  const priority = state.priority ?? 0;
  const error = unhealthy(state);
  if (error !== undefined) return new Catalog(key, priority, [], error);
  const entries: Entry[] = [];
  for (const { name, defaultChannel, channels, bundles } of state.packages ?? []) {
    const readable = new Map(
      (bundles ?? []).map((bundle) => [bundle.name, read(bundle, name, requirements)]),
    );
    for (const channel of channels ?? []) {
      for (const item of channel.entries ?? []) {
        const bundle = readable.get(item.name);
        if (bundle === undefined) continue;
        entries.push({
          id: entryId(key, channel.name, item.name),
          name: item.name,
          catalog: key,
          package: name,
          channel: channel.name,
          inDefaultChannel: channel.name === (defaultChannel ?? ''),
          replaces: item.replaces ?? '',
          skips: item.skips ?? [],
          skipRange: readSkipRange(item.skipRange ?? ''),
          bundle,
          installed: false,
          subscription: undefined,
        });
      }
    }
  }
  return new Catalog(key, priority, entries);
}

type BundleState = NonNullable<NonNullable<CatalogState['packages']>[number]['bundles']>[number];

function read(
  { version, properties, dependencies }: BundleState,
  packageName: string,
  requirements: Requirements,
): ReturnType<typeof readBundle> | undefined {
  const all: Property[] = [...(properties ?? [])];
  try {
    all.push(...(dependencies ?? []).flatMap((item) => propertyOfDependency(item) ?? []));
  } catch (error) {
    if (error instanceof UnreadableBundleError) return undefined;
    throw error;
  }
  if (!all.some(({ type }) => type === 'olm.package')) {
    all.push({ type: 'olm.package', value: { packageName, version: version ?? '' } });
  }
  return readBundle(all, readTolerantVersion(version ?? ''), requirements);
}

function unhealthy({ name, namespace, error, noClient }: CatalogState): string | undefined {
  const text =
    noClient === true
      ? `no registry client established for catalogsource ${namespace}/${name}`
      : error === undefined || error === null || error === ''
        ? undefined
        : `failed to list bundles: ${error}`;
  return text === undefined ? undefined : `error using catalogsource ${namespace}/${name}: ${text}`;
}

function groupKey({ package: name, channel }: Entry): string {
  return `${name}\n${channel}`;
}

function append<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
