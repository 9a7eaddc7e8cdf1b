/** Reads a catalog in a thread of its own: a large one takes seconds, and a gate has reviews to answer. */
import type { Worker } from 'node:worker_threads';
import type { Catalog } from '../../catalogs/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { startThread } from '../start-thread.js';
import { GatheredCatalog } from './catalog-pieces.js';
import type { Delivery, Order } from './reading-worker.js';

export interface ReadElsewhereOptions {
  readonly caFile?: string;
  /** The thread's program. */
  readonly worker?: URL;
  readonly signal?: AbortSignal;
}

const program = new URL('./reading-worker.js', import.meta.url);

/**
 * Without what bundles carry (`keep: 'graph'`).
 *
 * @throws InvalidInputError for a catalog that cannot be read or does not load.
 */
export async function readCatalogElsewhere(
  source: string,
  { worker: url = program, signal, ...options }: ReadElsewhereOptions = {},
): Promise<Catalog> {
  const order: Order = { source, ...options };
  const worker = startThread(url, { workerData: order });
  const stop = (): void => void worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    return await take(worker);
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function take(worker: Worker): Promise<Catalog> {
  const gathered = new GatheredCatalog();
  return new Promise((resolve, reject) => {
    const next = (): void => worker.postMessage('next');
    worker.on('message', (delivery: Delivery) => {
      switch (delivery.kind) {
        case 'piece':
          gathered.add(delivery.piece);
          // One piece per turn of the event loop.
          setImmediate(next);
          break;
        case 'end':
          resolve(gathered.catalog);
          break;
        case 'refused':
          reject(new InvalidInputError(delivery.code, delivery.message, delivery.where));
          break;
        case 'failed':
          reject(new Error(delivery.message));
      }
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('the thread that read the catalog ended')));
    next();
  });
}
