/** The thread's program: reads one catalog and hands it over in pieces, each when it is asked for. */
import { parentPort, workerData } from 'node:worker_threads';
import { InvalidInputError, type Place } from '../../text/documents/index.js';
import { catalogPieces, type CatalogPiece } from './catalog-pieces.js';
import { readCatalog } from './source.js';

export interface Order {
  readonly source: string;
  readonly caFile?: string;
}

/** The catalog's pieces, and an end. */
export type Delivery =
  | { readonly kind: 'piece'; readonly piece: CatalogPiece }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'refused';
      readonly code: InvalidInputError['code'];
      readonly message: string;
      readonly where: Place;
    }
  | { readonly kind: 'failed'; readonly message: string };

async function* deliveries({ source, ...options }: Order): AsyncGenerator<Delivery> {
  try {
    const { catalog, error } = await readCatalog(source, { ...options, keep: 'graph' });
    if (error !== undefined) throw error;
    for (const piece of catalogPieces(catalog)) yield { kind: 'piece', piece };
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
