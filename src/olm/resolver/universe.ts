/** In OLM's order. Rule: `FindPreferred`, `sortableSnapshots`, `sortBundles`, `getBundleVariables`. */
import { compareValues } from '../../text/group.js';
import type { SearchedCatalog } from './catalog.js';
import { catalogId, existing, type CatalogKey, type Entry } from './entry.js';
import type { Requirement } from './requirement.js';

interface Place {
  readonly catalog: SearchedCatalog;
  /** The catalogs in the order in which its bundles' dependencies prefer them. */
  order: readonly SearchedCatalog[] | undefined;
  /** Entries that meet its bundles' dependencies, where entries of several catalogs do. */
  readonly candidates: Map<Requirement, readonly number[]>;
}

export class Universe {
  private readonly byId: ReadonlyMap<string, SearchedCatalog>;
  /** By the key that a catalog's own entries carry, so that no text is made for each entry. */
  private readonly places = new Map<CatalogKey, Place>();
  private lastKey: CatalogKey | undefined;
  private lastPlace: Place | undefined;
  readonly size: number;
  private readonly bySlot: (Entry | undefined)[];

  /** `namespace`: the one that is resolved; its installed CSVs come first of all. */
  constructor(
    readonly namespace: string,
    readonly installed: SearchedCatalog,
    catalogs: readonly SearchedCatalog[],
  ) {
    const all = [installed, ...catalogs];
    this.byId = new Map(all.map((catalog) => [catalog.id, catalog]));
    for (const catalog of all) {
      this.places.set(catalog.key, { catalog, order: undefined, candidates: new Map() });
    }
    // Slots of the installed CSVs come after all slots of loaded catalogs.
    this.size = installed.firstSlot + installed.entries.length;
    this.bySlot = new Array<Entry | undefined>(this.size);
    for (const { entries } of all) for (const entry of entries) this.bySlot[entry.slot] = entry;
  }

  catalog(key: CatalogKey): SearchedCatalog | undefined {
    return this.byId.get(catalogId(key));
  }

  /** Why catalogs cannot be used, if any cannot. */
  get errors(): string[] {
    return [...this.byId.values()].flatMap(({ error }) => error ?? []);
  }

  subscribable(key: CatalogKey): readonly SearchedCatalog[] {
    if (key.name !== '' || key.namespace !== '') {
      const catalog = this.catalog(key);
      return catalog === undefined ? [] : [catalog];
    }
    return [...this.byId.values()].sort(
      (a, b) => b.priority - a.priority || compareValues(a.key.name, b.key.name),
    );
  }

  entries(): readonly Entry[] {
    return [...this.byId.values()].flatMap((catalog) => catalog.entries);
  }

  entry(slot: number): Entry {
    const entry = this.bySlot[slot];
    if (entry === undefined) throw new RangeError(`no entry has the slot ${slot}`);
    return entry;
  }

  compareIds(one: Entry, other: Entry): number {
    const catalog = one.catalog === other.catalog && this.placeOf(one.catalog)?.catalog;
    if (catalog) return catalog.idRank(one) - catalog.idRank(other);
    return compareValues(one.id, other.id);
  }

  private placeOf(key: CatalogKey): Place | undefined {
    if (key !== this.lastKey) {
      this.lastKey = key;
      this.lastPlace = this.places.get(key);
    }
    return this.lastPlace;
  }

  /** The entries of its catalog that share an entry's id; two packages can. Undefined when it is alone. */
  twins(entry: Entry): readonly Entry[] | undefined {
    return this.placeOf(entry.catalog)?.catalog.twins(entry);
  }

  /** The same list for the same dependency of a bundle of `own`. @throws ResolutionError */
  preferred(requirement: Requirement, own: CatalogKey): readonly number[] {
    const place = this.placeOf(own);
    const several = place?.candidates.get(requirement);
    if (several !== undefined) return several;
    let found: readonly number[] = none;
    let isCopy = false;
    for (const catalog of this.catalogOrder(own, place)) {
      const list = catalog.preferred(requirement);
      if (list.length === 0) continue;
      // One catalog's list alone stays itself: nothing is copied in the usual case.
      isCopy = found.length > 0;
      found = isCopy ? [...found, ...list] : list;
    }
    if (isCopy) place?.candidates.set(requirement, found);
    return found;
  }

  /** Installed CSVs, the dependent's own catalog, priority, the namespace's own catalogs, name. */
  private catalogOrder(own: CatalogKey, place: Place | undefined): readonly SearchedCatalog[] {
    if (place?.order !== undefined) return place.order;
    const key = catalogId(own);
    const rank = (catalog: SearchedCatalog): number =>
      catalog.id === `${existing}/${this.namespace}` ? 0 : catalog.id === key ? 1 : 2;
    const local = (catalog: SearchedCatalog): number =>
      catalog.key.namespace === this.namespace ? 0 : 1;
    const order = [...this.byId.values()].sort(
      (a, b) =>
        rank(a) - rank(b) ||
        b.priority - a.priority ||
        local(a) - local(b) ||
        compareValues(a.key.name, b.key.name),
    );
    if (place !== undefined) place.order = order;
    return order;
  }
}

const none: readonly number[] = [];
