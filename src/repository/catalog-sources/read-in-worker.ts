/** Reads a catalog in a thread of its own: a large one takes seconds, and a gate has reviews to answer. */
import type { Worker } from 'node:worker_threads';
import type { Catalog } from '../../olm/index.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { startThread } from '../../text/start-thread.js';
import { GatheredCatalog } from './catalog-pieces.js';
import type { Delivery, Order } from './reading-worker.js';

export interface ReadElsewhereOptions {
  readonly caFile?: string;
  readonly worker?: URL;
  readonly signal?: AbortSignal;
}

/** Megabytes of heap for reading. */
const threadHeap = 512;
/** Bytes of what is kept, as JSON; 45,000 bundles have 31 MB. */
const maxKept = 128 * 1024 * 1024;

const program = new URL('./reading-worker.js', import.meta.url);

/** The catalog without what bundles carry. @throws InvalidInputError, `E_LIMIT` for one that would take reviews' memory */
export async function readCatalogInWorker(
  source: string,
  { worker: url = program, signal, ...options }: ReadElsewhereOptions = {},
): Promise<Catalog> {
  const order: Order = { source, ...options };
  const worker = startThread(url, {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: threadHeap },
  });
  const stop = (): void => void worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    return await take(worker, source);
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

function take(worker: Worker, source: string): Promise<Catalog> {
  const gathered = new GatheredCatalog();
  const tooLarge = new InvalidInputError(
    'E_LIMIT',
    'takes more memory than there is for a catalog',
    { file: source },
  );
  let kept = 0;
  return new Promise((resolve, reject) => {
    const next = (): void => worker.postMessage('next');
    worker.on('message', (delivery: Delivery) => {
      switch (delivery.kind) {
        case 'piece':
          kept += delivery.piece.items.length;
          if (kept > maxKept) {
            reject(tooLarge);
            return;
          }
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
    worker.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge : error);
    });
    worker.on('exit', () => reject(new Error('the thread that read the catalog ended')));
    next();
  });
}
