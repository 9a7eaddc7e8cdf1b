/** Heavy judgements off the event loop: a bounded number of threads, and a bounded queue that is fair. */
import type { Worker } from 'node:worker_threads';
import { TooMuchMemoryError, UnfinishedError } from '../admission/reviewer.js';
import { startThread } from '../facts/start-thread.js';
import { bytesOf as attachedBytes, type Attached } from '../operations/attached.js';
import { FairQueue, type RequesterPath } from './fair-queue.js';
import { KeptAnswers } from './kept-answers.js';
import {
  keptAnswers,
  planOwnMemory,
  quickThreadHeap,
  threadHeap,
  threadValues,
  threadYoung,
} from './memory.js';
import type { JobInput } from './job-input.js';
import type { Job, JobMessage, JobResult, ThreadData, ThreadMessage } from './judge-worker.js';

export interface JudgePoolOptions {
  /** Threads; they are started when they are first needed. */
  readonly workers?: number;
  /** Keeps one more thread where small questions are tried first, so that no large one is in their way. */
  readonly hasQuickThread?: boolean;
  /** Judgements that may wait for a thread. */
  readonly queue?: number;
  /** Milliseconds after which a judgement is given up, whoever waits. */
  readonly limit?: number;
  /** Milliseconds that a judgement may take while others wait; it then answers what it has. */
  readonly share?: number;
  /** Milliseconds between asking a thread to stop and ending it. */
  readonly grace?: number;
  /** Megabytes of memory each thread may hold. */
  readonly megabytes?: number;
  /** How many values one document may hold there. */
  readonly maxValues?: number;
  /** The thread's program. */
  readonly worker?: URL;
  /** Called with each thread when it is started, before its first judgement. */
  readonly onThread?: (worker: Worker) => void;
}

export interface JobRequest {
  readonly asker?: RequesterPath;
  /** When the answer must be there, on the clock of `performance.now()`. */
  readonly until?: number;
  /** Fires when nobody waits any more. */
  readonly signal?: AbortSignal;
  /** Waits for the other threads, small as it is, and leaves the one for small questions to others. */
  readonly isPatient?: boolean;
  /** It begins only where a thread is free, and stops as soon as others wait. */
  readonly yields?: boolean;
}

interface Question {
  readonly job: Job;
  readonly asker: RequesterPath;
  readonly until: number;
  readonly yields: boolean;
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
  /** Nobody waits for the answer. */
  isAbandoned: boolean;
}

interface Thread {
  readonly worker: Worker;
  readonly lane: Lane;
  /** Holds the number of the judgement that is to stop. */
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly started: number;
  /** How long loading took, which no judgement is charged for; undefined until then. */
  loadMilliseconds: number | undefined;
  current: Running | undefined;
}

interface Running {
  readonly question: Question;
  readonly number: number;
  since: number;
  timer: NodeJS.Timeout | undefined;
  /** Why it was asked to stop. */
  stopped?: string;
}

interface Lane {
  readonly waiting: FairQueue<Question>;
  readonly threads: Thread[];
  readonly most: number;
  /** Milliseconds after which a judgement must make room for those that wait. */
  readonly share: number;
  /** The same for one that nobody waits for. */
  readonly shareAlone: number;
  /** Milliseconds between asking a thread to stop and ending it. */
  readonly grace: number;
}

const defaults = {
  workers: planOwnMemory(false).threads,
  hasQuickThread: false,
  queue: 64,
  limit: 60_000,
  share: 3_000,
  grace: 500,
  megabytes: threadHeap,
  maxValues: threadValues,
  worker: new URL('./judge-worker.js', import.meta.url),
  onThread: () => undefined,
};

/** Questions up to so many bytes are tried in the quick thread first. */
const quickBytes = 64 * 1024;
/**
 * How long one is tried there, while others wait and alone. Ten of them are tried within a second or so;
 * alone a thread's first one is finished, slow as it is, and is not done again in a thread that has to load.
 */
const quickShare = { share: 100, shareAlone: 1000 };
/** What is small reads and writes little, which is all that it may do once it is asked to stop. */
const quickGrace = 200;
/** A thread stops so long before its answer must be there, to write what it has. */
const writingMilliseconds = 100;

/**
 * Answers operations in threads. Judgements of which nobody waits for the answer are not begun, or
 * stopped.
 */
export class JudgePool {
  readonly #options: Required<JudgePoolOptions>;
  readonly #quick: Lane;
  readonly #heavy: Lane;
  readonly #kept = new KeptAnswers(keptAnswers * 1024 * 1024);
  #started = 0;
  #isClosed = false;

  constructor(options: JudgePoolOptions = {}) {
    this.#options = { ...defaults, ...options };
    const { hasQuickThread, workers, share, grace } = this.#options;
    const lane = (): Pick<Lane, 'waiting' | 'threads'> => ({
      ...{ waiting: new FairQueue<Question>(), threads: [] },
    });
    this.#quick = {
      ...{ ...lane(), most: hasQuickThread ? 1 : 0 },
      ...{ ...quickShare, grace: Math.min(quickGrace, grace) },
    };
    this.#heavy = { ...lane(), most: workers, share, shareAlone: Infinity, grace };
  }

  /**
   * @param input JSON text of the operation's input
   * @param attached further fields of it
   * @returns JSON text of its answer; of what it has when its time is over
   * @throws UnfinishedError when nobody will answer in time
   */
  judge(
    operation: string,
    input: JobInput,
    attached: Attached = {},
    asking: JobRequest = {},
  ): Promise<string> {
    const job = { operation, input, attached };
    const key = keyOf(job);
    const known = key === undefined ? undefined : this.#kept.get(key);
    return known === undefined ? this.#ask(job, asking) : Promise.resolve(known);
  }

  /**
   * Answers one line of the NDJSON door.
   *
   * @throws UnfinishedError when nobody will answer in time
   */
  answerLine(line: number, input: JobInput, asking: JobRequest = {}): Promise<string> {
    return this.#ask({ line, input }, asking);
  }

  /** Starts the thread for small questions, or the first, before it is needed; false when it is there. */
  warmUp(): boolean {
    const lane = this.#quick.most > 0 ? this.#quick : this.#heavy;
    if (this.#isClosed || lane.threads.length > 0) return false;
    this.#start(lane);
    return true;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const lanes = [this.#quick, this.#heavy];
    for (const { waiting } of lanes) {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        next.reject(new UnfinishedError('shutting down', 'closing'));
      }
    }
    const threads = lanes.flatMap((lane) => lane.threads.splice(0));
    await Promise.all(
      threads.map((thread) => this.#end(thread, new UnfinishedError('shutting down', 'closing'))),
    );
  }

  #ask(
    job: Job,
    { asker = [], until = Infinity, signal, yields = false, isPatient = false }: JobRequest,
  ): Promise<string> {
    const isQuick = this.#quick.most > 0 && !isPatient && isSmall(job);
    const lane = isQuick ? this.#quick : this.#heavy;
    let question: Question | undefined;
    let timer: NodeJS.Timeout | undefined;
    const leave = (reason: string): void => {
      if (question !== undefined) this.#abandon(question, reason);
    };
    const onAbort = (): void => leave('nobody waits for it any more');
    const answer = new Promise<string>((resolve, reject) => {
      if (this.#isClosed) throw new UnfinishedError('shutting down', 'closing');
      const left = until - performance.now();
      if (left <= 0 || signal?.aborted === true) {
        throw new UnfinishedError('there is no time left', 'late');
      }
      if (yields && !hasFreeThread(lane)) throw new UnfinishedError('others wait', 'busy');
      question = { job, asker, until, yields, resolve, reject, isAbandoned: false };
      signal?.addEventListener('abort', onAbort);
      if (left < Infinity) {
        timer = setTimeout(() => leave('it was not finished in time'), left);
      }
      this.#enqueue(lane, question);
    });
    return answer.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    });
  }

  #enqueue(lane: Lane, question: Question): void {
    lane.waiting.push(question.asker, question);
    this.#assign(lane);
    if (lane.waiting.size > this.#options.queue) {
      const dropped = lane.waiting.dropNewest();
      dropped?.reject(new UnfinishedError('too many heavy judgements are waiting already', 'busy'));
    }
    this.#makeRoom(lane);
  }

  #assign(lane: Lane): void {
    while (lane.waiting.size > 0) {
      let idle = lane.threads.find(({ current }) => current === undefined);
      if (idle === undefined) {
        if (lane.threads.length >= lane.most) return;
        idle = this.#start(lane);
      }
      const next = lane.waiting.shift();
      if (next !== undefined) this.#run(idle, next);
    }
  }

  #start(lane: Lane): Thread {
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = startThread(this.#options.worker, {
      workerData: { stop, maxValues: this.#options.maxValues } satisfies ThreadData,
      resourceLimits: {
        maxOldGenerationSizeMb: lane === this.#quick ? quickThreadHeap : this.#options.megabytes,
        maxYoungGenerationSizeMb: threadYoung,
      },
    });
    worker.unref();
    const started = performance.now();
    const thread: Thread = {
      ...{ worker, lane, stop, started },
      ...{ loadMilliseconds: undefined, current: undefined },
    };
    worker.on('message', (message: ThreadMessage) => {
      if (message === 'ready') this.#begin(thread);
      else this.#settle(thread, message);
    });
    worker.on('error', (error: NodeJS.ErrnoException) => {
      this.#drop(
        thread,
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new TooMuchMemoryError('it takes more memory than one judgement may have')
          : new UnfinishedError(`the judgement failed: ${error.message}`),
      );
    });
    worker.on('exit', () => this.#drop(thread, new UnfinishedError('the judgement ended early')));
    lane.threads.push(thread);
    this.#options.onThread(worker);
    return thread;
  }

  #run(thread: Thread, question: Question): void {
    const since = performance.now();
    const number = (this.#started = (this.#started + 1) & 0x7fffffff);
    const running: Running = { question, number, since, timer: undefined };
    thread.current = running;
    this.#watch(thread, running);
    const job: JobMessage = { ...question.job, number };
    thread.worker.postMessage(job, givenAway(question.job));
  }

  /** A judgement that was given to the thread begins now. */
  #begin(thread: Thread): void {
    thread.loadMilliseconds = performance.now() - thread.started;
    const { current } = thread;
    if (current === undefined) return;
    clearTimeout(current.timer);
    if (current.stopped !== undefined) return this.#endUnlessItStops(thread, current);
    current.since = performance.now();
    this.#watch(thread, current);
  }

  /** Looks after a judgement when its share is used up, and after that when its time is. */
  #watch(thread: Thread, running: Running): void {
    const { since, question } = running;
    const elapsed = performance.now() - since;
    const { waiting, threads, most } = thread.lane;
    const isInTheWay = waiting.size > 0 && threads.length >= most;
    const { shareAlone } = thread.lane;
    const shareOfMany = question.yields ? 0 : thread.lane.share;
    const isReady = thread.loadMilliseconds !== undefined;
    const share = !isReady ? Infinity : isInTheWay ? shareOfMany : shareAlone;
    const end = Math.min(this.#options.limit, question.until - writingMilliseconds - since);
    if (elapsed >= end) {
      this.#stop(thread, `the judgement took more than ${end / 1000} s`);
      return;
    }
    if (elapsed >= share) {
      this.#stop(thread, 'the judgement took too long while others waited');
      return;
    }
    // Timers may fire a little early.
    const next = Math.min(share, end) - elapsed + 1;
    running.timer = setTimeout(() => this.#watch(thread, running), next);
    running.timer.unref();
  }

  /** Whoever has had a share stops for those that wait. */
  #makeRoom(lane: Lane): void {
    if (lane.waiting.size === 0) return;
    for (const thread of lane.threads) {
      const { current } = thread;
      if (current === undefined || current.stopped !== undefined) continue;
      clearTimeout(current.timer);
      this.#watch(thread, current);
    }
  }

  #abandon(question: Question, reason: string): void {
    question.isAbandoned = true;
    for (const { waiting, threads } of [this.#quick, this.#heavy]) {
      const isWaiting = waiting.remove(question.asker, question);
      if (isWaiting) question.reject(new UnfinishedError(reason, 'busy'));
      const thread = threads.find(({ current }) => current?.question === question);
      if (thread !== undefined) this.#stop(thread, reason);
    }
    question.reject(new UnfinishedError(reason));
  }

  /** Asks a thread to answer what it has, and ends it when it does not. */
  #stop(thread: Thread, reason: string): void {
    const { current } = thread;
    if (current === undefined || current.stopped !== undefined) return;
    current.stopped = reason;
    Atomics.store(thread.stop, 0, current.number);
    clearTimeout(current.timer);
    this.#endUnlessItStops(thread, current);
  }

  /**
   * Ends a thread that does not stop, but only after as long as loading another one takes: on busy cores a
   * thread gets no time to stop either, and a new one would load for seconds.
   */
  #endUnlessItStops(thread: Thread, current: Running): void {
    const { loadMilliseconds = this.#options.limit, lane } = thread;
    const late = new UnfinishedError(current.stopped ?? '');
    const grace = Math.max(lane.grace, loadMilliseconds);
    current.timer = setTimeout(() => this.#drop(thread, late), grace);
    current.timer.unref();
  }

  #settle(thread: Thread, { answer, failure, isCutShort }: JobResult): void {
    const { lane } = thread;
    const question = this.#release(thread);
    if (question === undefined) return;
    const key = keyOf(question.job);
    if (isCutShort === true && this.#goesOn(lane, question)) this.#enqueue(this.#heavy, question);
    else if (answer !== undefined) {
      if (isCutShort !== true && key !== undefined) this.#kept.keep(key, answer);
      question.resolve(answer);
    } else question.reject(new Error(failure));
    this.#assign(lane);
  }

  /** Whether what was tried in the quick thread is worth doing in another. */
  #goesOn(lane: Lane, { job, until, isAbandoned, yields }: Question): boolean {
    const isWanted = !isAbandoned && !yields && !this.#isClosed && givenAway(job).length === 0;
    return lane === this.#quick && isWanted && until - performance.now() > writingMilliseconds;
  }

  /** Gives up a thread with what it was doing; the next judgement starts another. */
  #drop(thread: Thread, reason: UnfinishedError): void {
    const { threads } = thread.lane;
    const index = threads.indexOf(thread);
    if (index < 0) return;
    threads.splice(index, 1);
    const { current, lane } = thread;
    const isTooSmall = current?.stopped !== undefined || reason instanceof TooMuchMemoryError;
    if (current !== undefined && isTooSmall && this.#goesOn(lane, current.question)) {
      this.#release(thread);
      this.#enqueue(this.#heavy, current.question);
    }
    void this.#end(thread, reason);
    if (!this.#isClosed) this.#assign(thread.lane);
  }

  async #end(thread: Thread, reason: UnfinishedError): Promise<void> {
    this.#release(thread)?.reject(reason);
    await thread.worker.terminate();
  }

  #release(thread: Thread): Question | undefined {
    const { current, lane } = thread;
    if (current === undefined) return undefined;
    clearTimeout(current.timer);
    thread.current = undefined;
    lane.waiting.finish(current.question.asker);
    return current.question;
  }
}

function hasFreeThread({ waiting, threads, most }: Lane): boolean {
  const isFree = threads.length < most || threads.some(({ current }) => current === undefined);
  return waiting.size === 0 && isFree;
}

/** What was asked, and about what; undefined where nobody says what the answer depends on. */
function keyOf(job: Job): string | undefined {
  if (!('attached' in job) || typeof job.input !== 'string') return undefined;
  const { operation, input, attached } = job;
  return attached.key === undefined ? undefined : `${operation} ${input} ${attached.key}`;
}

function isSmall(job: Job): boolean {
  if (!('attached' in job)) return job.input.length <= quickBytes;
  const { shared = {}, unread = {}, takesLong = false } = job.attached;
  const sizes = [
    ...Object.values(shared).map(({ bytes }) => bytes.byteLength),
    ...Object.values(unread).map((json) => attachedBytes(json).length),
  ];
  return !takesLong && sizes.reduce((sum, bytes) => sum + bytes, job.input.length) <= quickBytes;
}

/** What is given to the thread instead of being copied. */
function givenAway(job: Job): ArrayBuffer[] {
  const unread = 'attached' in job ? Object.values(job.attached.unread ?? {}) : [];
  const input = typeof job.input === 'string' ? [] : [job.input];
  // Small buffers are cut from one that others use too.
  return [...input, ...unread.map(attachedBytes)].flatMap(({ buffer, length }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === length ? [buffer] : [],
  );
}
