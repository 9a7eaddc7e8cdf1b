import type { Catalog } from '../../olm/index.js';
import { parseJson, stringifyJson } from '../../text/documents/index.js';
import { append } from '../../text/long-lists.js';

/** Problems of the blobs are for callers that read them, not for the resolver. */
type List = Exclude<keyof Catalog, 'blobProblems'>;

/** Some items of one of a catalog's lists, as JSON text: no number loses its text on the way. */
export interface CatalogPiece {
  readonly list: List;
  readonly items: string;
}

/** Small enough that writing or reading one delays nothing else. */
const itemsPerPiece = 200;

export function* catalogPieces(catalog: Catalog): Generator<CatalogPiece> {
  for (const list of Object.keys(catalog) as (keyof Catalog)[]) {
    if (list === 'blobProblems') continue;
    const all: readonly unknown[] = catalog[list];
    for (let from = 0; from < all.length; from += itemsPerPiece) {
      yield { list, items: stringifyJson(all.slice(from, from + itemsPerPiece)) };
    }
  }
}

export class GatheredCatalog {
  readonly #lists: Record<List, unknown[]> = {
    packages: [],
    channels: [],
    bundles: [],
    deprecations: [],
    others: [],
  };

  add({ list, items }: CatalogPiece): void {
    // Text that was read once is not measured again.
    append(this.#lists[list], parseJson(items, { maxDepth: Infinity }) as unknown[]);
  }

  get catalog(): Catalog {
    return this.#lists as unknown as Catalog;
  }
}
