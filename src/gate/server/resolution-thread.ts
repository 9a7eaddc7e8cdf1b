/** Off the event loop, in one thread that keeps the catalogs' index: a question brings only its namespace. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { ResolutionAnswer, ResolutionQuestion } from '../admission/resolution-question.js';
import { catalogPieces } from '../../repository/index.js';
import type { Catalog } from '../../olm/index.js';
import { parseJson, stringifyJson } from '../../text/documents/index.js';
import { JudgePool, type JobRequest } from './judge-pool.js';
import type { CatalogMessage, CatalogOrigin } from './resolution-worker.js';

/** A file-based catalog and the CatalogSource that serves it. */
export interface ServedCatalog extends CatalogOrigin {
  readonly catalog: Catalog;
}

const program = new URL('./resolution-worker.js', import.meta.url);

export class ResolutionThread {
  readonly #pool: JudgePool;
  #thread: Worker | undefined;
  #served: readonly ServedCatalog[] | undefined;
  /** Counts the times that catalogs were handed over; the last alone goes on. */
  #handovers = 0;

  /** @param megabytes of heap that it may have */
  constructor({ worker = program, megabytes }: { worker?: URL; megabytes: number }) {
    this.#pool = new JudgePool({
      worker,
      workers: 1,
      megabytes,
      // A question waits for the first catalogs too; to end the thread would begin them anew.
      limit: 600_000,
      grace: 600_000,
      onThread: (thread) => {
        this.#thread = thread;
        if (this.#served !== undefined) void this.#handOver(thread, this.#served);
      },
    });
  }

  /** From now on these are all there are. What is asked meanwhile is answered by the ones before. */
  know(served: readonly ServedCatalog[]): void {
    this.#served = served;
    if (this.#pool.warmUp() || this.#thread === undefined) return;
    void this.#handOver(this.#thread, served);
  }

  /** Waits for the first catalogs. @throws UnfinishedError when no answer will come */
  async resolve(question: ResolutionQuestion, asking: JobRequest = {}): Promise<ResolutionAnswer> {
    const answer = await this.#pool.judge('resolution', stringifyJson(question), {}, asking);
    return parseJson(answer) as unknown as ResolutionAnswer;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** One piece per turn of the event loop. */
  async #handOver(worker: Worker, served: readonly ServedCatalog[]): Promise<void> {
    const handover = ++this.#handovers;
    const post = (message: CatalogMessage): void => worker.postMessage(message);
    const origins = served.map(({ name, namespace, priority }) => ({ name, namespace, priority }));
    post({ catalogs: 'begin', origins });
    for (const [of, { catalog }] of served.entries()) {
      for (const piece of catalogPieces(catalog)) {
        if (handover !== this.#handovers) return;
        post({ catalogs: 'piece', of, piece });
        await turn();
      }
    }
    if (handover === this.#handovers) post({ catalogs: 'end' });
  }
}
