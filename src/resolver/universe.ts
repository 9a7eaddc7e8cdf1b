/**
 * Everything that resolution of one namespace can choose from, and in which order it is preferred.
 * Rule: `FindPreferred`, `sortableSnapshots`, `sortBundles` and `getBundleVariables` of OLM classic.
 */
import type { Catalog } from './catalog.js';
import { catalogId, existing, type CatalogKey, type Entry } from './entry.js';
import type { Requirement } from './requirement.js';

export class Universe {
  private readonly byId: ReadonlyMap<string, Catalog>;
  private readonly offsets = new Map<CatalogKey, number>();
  private lastKey: CatalogKey | undefined;
  private lastOffset = 0;
  /** How many entries there are. */
  size = 0;
  private readonly orders = new Map<string, readonly Catalog[]>();
  private readonly candidates = new Map<Requirement, Map<string, readonly Entry[]>>();

  /** `namespace`: the one that is resolved; its installed CSVs come first of all. */
  constructor(
    readonly namespace: string,
    readonly installed: Catalog,
    catalogs: readonly Catalog[],
  ) {
    const all = [installed, ...catalogs];
    this.byId = new Map(all.map((catalog) => [catalog.id, catalog]));
    for (const { key, entries } of all) {
      this.offsets.set(key, this.size);
      this.size += entries.length;
    }
  }

  catalog(key: CatalogKey): Catalog | undefined {
    return this.byId.get(catalogId(key));
  }

  /** Why catalogs cannot be used, if any cannot. */
  get errors(): string[] {
    return [...this.byId.values()].flatMap(({ error }) => error ?? []);
  }

  /** The entries a subscription to this catalog can mean; a subscription without catalog means all. */
  subscribable(key: CatalogKey): readonly Catalog[] {
    if (key.name !== '' || key.namespace !== '') {
      const catalog = this.catalog(key);
      return catalog === undefined ? [] : [catalog];
    }
    return [...this.byId.values()].sort(
      (a, b) => b.priority - a.priority || compare(a.key.name, b.key.name),
    );
  }

  /** All that is visible: installed CSVs first. */
  entries(): readonly Entry[] {
    return [...this.byId.values()].flatMap((catalog) => catalog.entries);
  }

  /** A number of its own for each entry, below {@link size}. */
  slot(entry: Entry): number {
    if (entry.catalog !== this.lastKey) {
      this.lastKey = entry.catalog;
      this.lastOffset = this.offsets.get(entry.catalog) ?? 0;
    }
    return this.lastOffset + entry.position;
  }

  /** The entries of its catalog that share an entry's id; two packages can. */
  twins(entry: Entry): readonly Entry[] {
    return this.catalog(entry.catalog)?.twins(entry) ?? [entry];
  }

  /**
   * Entries that meet a dependency of a bundle of the catalog `own`, best first.
   *
   * @throws ConstraintError, ResolutionError
   */
  preferred(requirement: Requirement, own: CatalogKey): readonly Entry[] {
    let lists = this.candidates.get(requirement);
    if (lists === undefined)
      this.candidates.set(requirement, (lists = new Map<string, readonly Entry[]>()));
    const key = catalogId(own);
    let list = lists.get(key);
    if (list === undefined) {
      list = concatenate(this.catalogOrder(own).map((catalog) => catalog.preferred(requirement)));
      lists.set(key, list);
    }
    return list;
  }

  /** Installed CSVs, the dependent's own catalog, priority, the namespace's own catalogs, name. */
  private catalogOrder(own: CatalogKey): readonly Catalog[] {
    const key = catalogId(own);
    let order = this.orders.get(key);
    if (order === undefined) {
      const rank = (catalog: Catalog): number =>
        catalog.id === `${existing}/${this.namespace}` ? 0 : catalog.id === key ? 1 : 2;
      const local = (catalog: Catalog): number =>
        catalog.key.namespace === this.namespace ? 0 : 1;
      order = [...this.byId.values()].sort(
        (a, b) =>
          rank(a) - rank(b) ||
          b.priority - a.priority ||
          local(a) - local(b) ||
          compare(a.key.name, b.key.name),
      );
      this.orders.set(key, order);
    }
    return order;
  }
}

/** One list alone stays itself: nothing is copied in the usual case. */
function concatenate(lists: readonly (readonly Entry[])[]): readonly Entry[] {
  const filled = lists.filter((list) => list.length > 0);
  return filled.length === 1 ? (filled[0] ?? []) : filled.flat();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
