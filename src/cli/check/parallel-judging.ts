/** Judges pairs of definitions in threads, ahead of who tells of them in their order. */
import { availableParallelism } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { FoundCrd } from '../../upgrade/index.js';
import { startThread } from '../../text/start-thread.js';
import { sameJson, stringifyJson } from '../../text/documents/index.js';
import {
  judgePair,
  type JudgingOptions,
  type PairJudgement,
  readJudgement,
} from '../../checks/index.js';

interface Pair {
  readonly old: FoundCrd;
  readonly new: FoundCrd;
}

export interface PairOrder {
  readonly index: number;
  /** JSON text, so that no number loses its own; without `next` it is the same. */
  readonly old: string;
  readonly next?: string;
}

/** Without a judgement there was an error. */
export interface PairAnswer {
  readonly index: number;
  readonly judged?: string;
}

/** Size of all files for each thread; for less, starting a thread costs more than it saves. */
const charactersPerThread = 12_000_000;
const maxThreads = 8;
/** Each thread has the next pairs at hand while who tells of them is busy with one. */
const maxPerThread = 8;
/** Judgements that may wait to be printed. */
const maxAhead = 64;

const program = new URL('./pair-worker.js', import.meta.url);

/** Undefined where threads would take longer than they save. */
export function judgeAhead(
  pairs: readonly Pair[],
  options: JudgingOptions,
): PairsAhead | undefined {
  const texts = new Set(pairs.map((pair) => pair.new.document.text));
  const size = [...texts].reduce((sum, text) => sum + text.length, 0);
  const worth = Math.floor(size / charactersPerThread);
  const threads = Math.min(availableParallelism() - 1, maxThreads, pairs.length - 1, worth);
  return threads < 1 ? undefined : new PairsAhead(pairs, options, threads);
}

class PairsAhead {
  readonly #threads: { readonly worker: Worker; underWay: Set<number> }[];
  readonly #answers = new Map<number, PairJudgement | undefined>();
  readonly #waiting = new Map<number, () => void>();
  /** The next pair that no thread has, nor who tells of them. */
  #next = 0;
  #current = 0;
  readonly #perThread: number;

  constructor(
    private readonly pairs: readonly Pair[],
    private readonly options: JudgingOptions,
    threads: number,
  ) {
    this.#perThread = Math.min(maxPerThread, Math.ceil(pairs.length / (4 * threads)));
    this.#threads = Array.from({ length: threads }, () => {
      const worker = startThread(program, { workerData: options });
      const thread = { worker, underWay: new Set<number>() };
      worker.on('message', ({ index, judged }: PairAnswer) => {
        thread.underWay.delete(index);
        this.#settle(index, readJudged(judged));
        this.#order();
      });
      const drop = (): void => {
        this.#threads.splice(this.#threads.indexOf(thread), this.#threads.includes(thread) ? 1 : 0);
        for (const index of thread.underWay) this.#settle(index, undefined);
      };
      worker.on('error', drop);
      worker.on('exit', drop);
      return thread;
    });
  }

  /** Undefined for a pair that the caller has to judge. Asked for each once, in their order. */
  async judged(index: number): Promise<PairJudgement | undefined> {
    this.#current = index;
    // What nobody has begun is judged at once by who waits for it.
    if (this.#next <= index) this.#next = index + 1;
    this.#order();
    while (this.#threads.some(({ underWay }) => underWay.has(index))) {
      if (this.#isAnyLeft()) this.#judgeNext();
      else await new Promise<void>((resolve) => this.#waiting.set(index, resolve));
      // Answers of threads are taken meanwhile, and they get more to do.
      await setImmediate();
    }
    const answer = this.#answers.get(index);
    this.#answers.delete(index);
    return answer;
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #isAnyLeft(): boolean {
    return this.#next < Math.min(this.pairs.length, this.#current + maxAhead);
  }

  /** Whoever waits judges too. */
  #judgeNext(): void {
    const index = this.#next++;
    const { old, new: next } = this.pairs[index] as Pair;
    try {
      this.#answers.set(index, judgePair(old, next, this.options));
    } catch {
      // It is met again where it is this pair's turn.
    }
  }

  #settle(index: number, judged: PairJudgement | undefined): void {
    this.#answers.set(index, judged);
    this.#waiting.get(index)?.();
    this.#waiting.delete(index);
  }

  #order(): void {
    for (const { worker, underWay } of this.#threads) {
      while (underWay.size < this.#perThread && this.#isAnyLeft()) {
        const index = this.#next++;
        underWay.add(index);
        const { old, new: next } = this.pairs[index] as Pair;
        const order: PairOrder = { index, old: stringifyJson(old.crd.document) };
        const isSame = sameJson(old.crd.document, next.crd.document);
        worker.postMessage(isSame ? order : { ...order, next: stringifyJson(next.crd.document) });
      }
    }
  }
}

/** Undefined for what cannot be read, which is judged again. */
function readJudged(text: string | undefined): PairJudgement | undefined {
  try {
    return text === undefined ? undefined : readJudgement(text);
  } catch {
    return undefined;
  }
}
