/** The thread's program: reads one catalog and hands it over in pieces, each when it is asked for. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Catalog } from '../catalogs/index.js';
import { InvalidInputError, type Place } from '../documents/index.js';
import { readCatalog } from './source.js';

export interface Order {
  readonly source: string;
  readonly caFile?: string;
}

/** Pieces of the catalog's lists, and an end. */
export type Delivery =
  | { readonly kind: 'items'; readonly list: keyof Catalog; readonly items: readonly unknown[] }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'refused';
      readonly code: InvalidInputError['code'];
      readonly message: string;
      readonly where: Place;
    }
  | { readonly kind: 'failed'; readonly message: string };

/** Small enough that taking one in is no pause anybody would notice. */
const itemsPerPiece = 200;

async function* deliveries({ source, ...options }: Order): AsyncGenerator<Delivery> {
  try {
    const { catalog, error } = await readCatalog(source, { ...options, keep: 'graph' });
    if (error !== undefined) throw error;
    for (const list of Object.keys(catalog) as (keyof Catalog)[]) {
      const all: readonly unknown[] = catalog[list];
      for (let from = 0; from < all.length; from += itemsPerPiece) {
        yield { kind: 'items', list, items: all.slice(from, from + itemsPerPiece) };
      }
    }
    yield { kind: 'end' };
  } catch (error) {
    if (error instanceof InvalidInputError) {
      const { code, message, where } = error;
      yield { kind: 'refused', code, message, where };
    } else {
      yield { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
    }
  }
}

const port = parentPort;
if (port !== null) {
  const all = deliveries(workerData as Order);
  port.on('message', () => {
    void all.next().then((next) => {
      if (next.done === true) port.close();
      else port.postMessage(next.value);
    });
  });
}
