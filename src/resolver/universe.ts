/**
 * Everything that resolution of one namespace can choose from, and in which order it is preferred.
 * Rule: `FindPreferred`, `sortableSnapshots`, `sortBundles` and `getBundleVariables` of OLM classic.
 */
import type { Catalog } from './catalog.js';
import { catalogId, existing, type CatalogKey, type Entry } from './entry.js';
import type { Requirement } from './requirement.js';

interface Place {
  readonly catalog: Catalog;
  /** Of its first entry among all. */
  readonly offset: number;
  /** What meets the dependencies of its bundles. */
  readonly candidates: Map<Requirement, readonly Entry[]>;
}

export class Universe {
  private readonly byId: ReadonlyMap<string, Catalog>;
  /** By the key that a catalog's own entries carry, so that no text is made for each entry. */
  private readonly places = new Map<CatalogKey, Place>();
  private lastKey: CatalogKey | undefined;
  private lastPlace: Place | undefined;
  /** How many entries there are. */
  size = 0;
  private readonly orders = new Map<string, readonly Catalog[]>();

  /** `namespace`: the one that is resolved; its installed CSVs come first of all. */
  constructor(
    readonly namespace: string,
    readonly installed: Catalog,
    catalogs: readonly Catalog[],
  ) {
    const all = [installed, ...catalogs];
    this.byId = new Map(all.map((catalog) => [catalog.id, catalog]));
    for (const catalog of all) {
      this.places.set(catalog.key, { catalog, offset: this.size, candidates: new Map() });
      this.size += catalog.entries.length;
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
    return (this.placeOf(entry.catalog)?.offset ?? 0) + entry.position;
  }

  private placeOf(key: CatalogKey): Place | undefined {
    if (key !== this.lastKey) {
      this.lastKey = key;
      this.lastPlace = this.places.get(key);
    }
    return this.lastPlace;
  }

  /** The entries of its catalog that share an entry's id; two packages can. */
  twins(entry: Entry): readonly Entry[] {
    return this.placeOf(entry.catalog)?.catalog.twins(entry) ?? [entry];
  }

  /**
   * Entries that meet a dependency of a bundle of the catalog `own`, best first.
   *
   * @throws ConstraintError, ResolutionError
   */
  preferred(requirement: Requirement, own: CatalogKey): readonly Entry[] {
    const lists = this.placeOf(own)?.candidates;
    let list = lists?.get(requirement);
    if (list === undefined) {
      list = this.search(requirement, own);
      lists?.set(requirement, list);
    }
    return list;
  }

  /** One catalog's list alone stays itself: nothing is copied in the usual case. */
  private search(requirement: Requirement, own: CatalogKey): readonly Entry[] {
    let found: readonly Entry[] = none;
    for (const catalog of this.catalogOrder(own)) {
      const list = catalog.preferred(requirement);
      if (list.length > 0) found = found.length === 0 ? list : [...found, ...list];
    }
    return found;
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

const none: readonly Entry[] = [];

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
