/** Heavy judgements off the event loop: a bounded number of workers, a bounded queue, a bounded cache. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { UnfinishedError } from '../admission/reviewer.js';
import type { Attached } from '../../operations/attached.js';
import type { Job, JobResult } from './judge-worker.js';

export interface JudgePoolOptions {
  /** Threads; they are started when they are first needed. */
  readonly workers?: number;
  /** Judgements that may wait for a thread. */
  readonly queue?: number;
  /** Milliseconds after which a judgement is given up and its thread replaced. */
  readonly limit?: number;
  /** Characters of answers that are kept for a retry of the same request; 0: no two are compared. */
  readonly cacheCharacters?: number;
  /** Megabytes of memory each thread may hold. */
  readonly megabytes?: number;
  /** The thread's program. */
  readonly worker?: URL;
  /** Called with each thread when it is started, before its first judgement. */
  readonly onThread?: (worker: Worker) => void;
}

interface Waiting {
  readonly job: Job;
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  current: Waiting | undefined;
  timer: NodeJS.Timeout | undefined;
}

const defaults = {
  // The event loop keeps a core of its own where there is more than one.
  workers: Math.max(1, Math.min(4, availableParallelism() - 1)),
  queue: 64,
  limit: 60_000,
  cacheCharacters: 16 * 1024 * 1024,
  megabytes: 512,
  worker: new URL('./judge-worker.js', import.meta.url),
  onThread: () => undefined,
};

/**
 * Answers operations in worker threads. Who stops waiting for an answer leaves the judgement
 * running: a retry with the same input finds it finished, or joins it.
 */
export class JudgePool {
  readonly #options: Required<JudgePoolOptions>;
  readonly #threads: Thread[] = [];
  readonly #queue: Waiting[] = [];
  readonly #underWay = new Map<string, Promise<string>>();
  /** Oldest first. */
  readonly #answers = new Map<string, string>();
  #characters = 0;
  #closed = false;

  constructor(options: JudgePoolOptions = {}) {
    this.#options = { ...defaults, ...options };
  }

  /**
   * @param input JSON text of the operation's input
   * @param attached further fields of it
   * @returns JSON text of its answer
   * @throws UnfinishedError when the queue is full or the judgement was given up
   */
  judge(operation: string, input: string, attached: Attached = {}): Promise<string> {
    const job = { operation, input, attached };
    // What nobody has read is asked once.
    if (this.#options.cacheCharacters === 0 || attached.unread !== undefined) {
      return this.#enqueue(job);
    }
    const key = keyOf(operation, input, attached);
    const known = this.#answers.get(key);
    if (known !== undefined) return Promise.resolve(known);
    const joined = this.#underWay.get(key);
    if (joined !== undefined) return joined;
    const answer = this.#enqueue(job);
    this.#underWay.set(key, answer);
    answer
      .then((text) => this.#keep(key, text))
      // Whoever waits is told; nobody has to.
      .catch(() => undefined)
      .finally(() => this.#underWay.delete(key));
    return answer;
  }

  /**
   * Answers one line of the NDJSON door.
   *
   * @throws UnfinishedError when the queue is full or the answer was given up
   */
  answerLine(line: number, input: string): Promise<string> {
    return this.#enqueue({ line, input });
  }

  /** Starts a first thread before it is needed; false when there is one. */
  warmUp(): boolean {
    if (this.#closed || this.#threads.length > 0) return false;
    this.#start();
    return true;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const waiting of this.#queue.splice(0))
      waiting.reject(new UnfinishedError('shutting down'));
    await Promise.all(this.#threads.splice(0).map((thread) => this.#end(thread, 'shutting down')));
  }

  #enqueue(job: Job): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new UnfinishedError('shutting down'));
      if (this.#queue.length >= this.#options.queue) {
        return reject(new UnfinishedError('too many heavy judgements are waiting already', true));
      }
      this.#queue.push({ job, resolve, reject });
      this.#assign();
    });
  }

  #assign(): void {
    while (this.#queue.length > 0) {
      let idle = this.#threads.find(({ current }) => current === undefined);
      if (idle === undefined) {
        if (this.#threads.length >= this.#options.workers) return;
        idle = this.#start();
      }
      const next = this.#queue.shift();
      if (next !== undefined) this.#run(idle, next);
    }
  }

  #start(): Thread {
    const worker = new Worker(this.#options.worker, {
      resourceLimits: { maxOldGenerationSizeMb: this.#options.megabytes },
    });
    worker.unref();
    const thread: Thread = { worker, current: undefined, timer: undefined };
    worker.on('message', (result: JobResult) => this.#settle(thread, result));
    worker.on('error', (error) => this.#drop(thread, `the judgement failed: ${error.message}`));
    worker.on('exit', () => this.#drop(thread, 'the judgement ended early'));
    this.#threads.push(thread);
    this.#options.onThread(worker);
    return thread;
  }

  #run(thread: Thread, next: Waiting): void {
    thread.current = next;
    const { limit } = this.#options;
    thread.timer = setTimeout(() => {
      this.#drop(thread, `the judgement took more than ${limit / 1000} s`);
    }, limit);
    thread.timer.unref();
    thread.worker.postMessage(next.job, givenAway(next.job));
  }

  #settle(thread: Thread, { answer, failure }: JobResult): void {
    const { current } = thread;
    clearTimeout(thread.timer);
    thread.current = undefined;
    if (answer !== undefined) current?.resolve(answer);
    else current?.reject(new Error(failure));
    this.#assign();
  }

  /** Gives up a thread with what it was doing; the next judgement starts another. */
  #drop(thread: Thread, reason: string): void {
    const index = this.#threads.indexOf(thread);
    if (index < 0) return;
    this.#threads.splice(index, 1);
    void this.#end(thread, reason);
    if (!this.#closed) this.#assign();
  }

  async #end(thread: Thread, reason: string): Promise<void> {
    clearTimeout(thread.timer);
    thread.current?.reject(new UnfinishedError(reason));
    thread.current = undefined;
    await thread.worker.terminate();
  }

  #keep(key: string, answer: string): void {
    if (answer.length > this.#options.cacheCharacters / 4) return;
    this.#answers.set(key, answer);
    this.#characters += answer.length;
    for (const [oldest, text] of this.#answers) {
      if (this.#characters <= this.#options.cacheCharacters) break;
      this.#answers.delete(oldest);
      this.#characters -= text.length;
    }
  }
}

function keyOf(operation: string, input: string, { shared = {} }: Attached): string {
  const hash = createHash('sha256').update(operation).update('\0').update(input);
  for (const [field, { key }] of Object.entries(shared)) hash.update(`\0${field}\0${key}`);
  return hash.digest('base64');
}

/** What is given to the thread instead of being copied. */
function givenAway(job: Job): ArrayBuffer[] {
  if (!('attached' in job)) return [];
  // Small buffers are cut from one that others use too.
  return Object.values(job.attached.unread ?? {})
    .filter(({ buffer, length }) => buffer.byteLength === length)
    .map(({ buffer }) => buffer);
}
