/** Catalogs that are read once and again whenever they change, without holding up anything else. */
import type { Catalog } from '../../olm/index.js';
import { watchFolder } from '../../text/documents/changes.js';
import { catalogdState } from './catalogd.js';
import type { Worker } from 'node:worker_threads';
import { InvalidInputError } from '../../text/documents/index.js';
import { startThread } from '../../text/start-thread.js';
import { GatheredCatalog } from './catalog-pieces.js';
import type { Delivery, Order } from './reading-worker.js';

export interface CatalogReference {
  readonly name: string;
  readonly priority: number;
  /** A folder, a file, or catalogd's URL. */
  readonly source: string;
}

export interface FollowedCatalog extends CatalogReference {
  readonly catalog: Catalog;
}

export interface FollowOptions {
  readonly caFile?: string;
  /** Seconds between looks at catalogs behind a URL. */
  readonly refreshSeconds?: number;
  /** Milliseconds to let a burst of writes to a folder settle. */
  readonly settle?: number;
  readonly worker?: URL;
  /** Called whenever all are known and one is new: in turn, the next when the last has finished. */
  readonly onCatalogs: (catalogs: readonly FollowedCatalog[]) => void | Promise<void>;
  readonly onRead?: (reference: CatalogReference) => void;
  /** Called with the error that `onCatalogs` threw after a change. */
  readonly onDefect: (error: unknown) => void;
  /** The contents that were read before stay in force. */
  readonly onProblem: (reference: CatalogReference, error: unknown) => void;
}

const everyFile = /(?:)/;

export class FollowedCatalogs {
  readonly #known = new Map<CatalogReference, Catalog>();
  readonly #closing = new AbortController();
  readonly #closers: (() => void)[] = [];
  #last: Promise<void> = Promise.resolve();

  private constructor(
    private readonly references: readonly CatalogReference[],
    private readonly options: FollowOptions,
  ) {}

  /**
   * Resolves when every folder and file is read. A URL that does not answer is a problem, and asked
   * again: a server that is away for a while must not keep its clients from starting.
   *
   * @throws InvalidInputError for a folder or a file that cannot be read, or does not load
   */
  static async start(
    references: readonly CatalogReference[],
    options: FollowOptions,
  ): Promise<FollowedCatalogs> {
    const followed = new FollowedCatalogs(references, options);
    try {
      for (const reference of references) await followed.begin(reference);
      await followed.tell();
    } catch (error) {
      followed.close();
      throw error;
    }
    return followed;
  }

  close(): void {
    this.#closing.abort();
    for (const close of this.#closers.splice(0)) close();
  }

  private async begin(reference: CatalogReference): Promise<void> {
    if (/^https?:\/\//.test(reference.source)) return this.beginAsking(reference);
    const { settle } = this.options;
    const watch = await watchFolder(
      reference.source,
      async () => void (await this.readAgain(reference)),
      {
        files: everyFile,
        settle,
      },
    );
    this.#closers.push(() => watch.close());
    await this.inTurn(() => this.read(reference));
  }

  private async beginAsking(reference: CatalogReference): Promise<void> {
    let seen: string | undefined;
    let isLooking = false;
    const look = async (): Promise<void> => {
      if (isLooking) return;
      isLooking = true;
      try {
        const state = await catalogdState(reference.source, this.options);
        if (state !== undefined && state === seen) return;
        if (await this.readAgain(reference)) seen = state;
      } catch (error) {
        this.report(reference, error);
      } finally {
        isLooking = false;
      }
    };
    await look();
    const timer = setInterval(() => void look(), (this.options.refreshSeconds ?? 300) * 1000);
    timer.unref();
    this.#closers.push(() => clearInterval(timer));
  }

  /** False when it could not be read. */
  private async readAgain(reference: CatalogReference): Promise<boolean> {
    try {
      await this.inTurn(() => this.read(reference));
    } catch (error) {
      this.report(reference, error);
      return false;
    }
    try {
      await this.tell();
    } catch (error) {
      this.options.onDefect(error);
    }
    return true;
  }

  private report(reference: CatalogReference, error: unknown): void {
    if (!this.#closing.signal.aborted) this.options.onProblem(reference, error);
  }

  private async read(reference: CatalogReference): Promise<void> {
    const { caFile, worker } = this.options;
    const catalog = await readCatalogInWorker(reference.source, {
      signal: this.#closing.signal,
      caFile,
      worker,
    });
    this.#known.set(reference, catalog);
    this.options.onRead?.(reference);
  }

  /** A catalog that is missing would make the others' packages look like all there are. */
  private async tell(): Promise<void> {
    const all = this.references.flatMap((reference): FollowedCatalog[] => {
      const catalog = this.#known.get(reference);
      return catalog === undefined ? [] : [{ ...reference, catalog }];
    });
    if (all.length < this.references.length || this.#closing.signal.aborted) return;
    await this.inTurn(async () => this.options.onCatalogs(all));
  }

  /** One after the other, so that the last report is of what was read last. */
  private inTurn(task: () => Promise<void>): Promise<void> {
    const done = this.#last.then(task);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

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
