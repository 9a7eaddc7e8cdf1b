/** Runs heavy judgements in a bounded number of threads, which serve a bounded, fair queue. */
import type { Worker } from 'node:worker_threads';
import { UnfinishedError } from '../admission/reviewer.js';
import { startThread } from '../../text/start-thread.js';
import { bytesOf as attachedBytes, type Attached } from '../../checks/index.js';
import type { Policy } from '../../policy/index.js';
import { FairQueue, type RequesterPath } from '../admission/fair-queue.js';
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
  /** How many threads; each is started when it is first needed. */
  readonly workers?: number;
  /** Keeps one more thread in which small questions are tried first, so that they never wait for large ones. */
  readonly hasQuickThread?: boolean;
  /** How many judgements may wait for a thread. */
  readonly queue?: number;
  /** Milliseconds after which every judgement is given up. */
  readonly limit?: number;
  /** Milliseconds that a judgement may take while others wait; then it answers what it has found. */
  readonly share?: number;
  /** Milliseconds between asking a thread to stop and ending it, unless loading a thread takes longer. */
  readonly grace?: number;
  /** Megabytes of memory each thread may hold. */
  readonly megabytes?: number;
  /** How many values one document may hold in a thread. */
  readonly maxValues?: number;
  /** Decides about questions that name no profile. */
  readonly policy?: Policy | undefined;
  readonly worker?: URL;
  /** Called with each new thread, before its first judgement. */
  readonly onThread?: (worker: Worker) => void;
}

export interface JobRequest {
  readonly asker?: RequesterPath;
  /** Deadline of the answer, on the clock of `performance.now()`. */
  readonly until?: number;
  /** Fires when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal;
  /** Never uses the thread for small questions. */
  readonly isPatient?: boolean;
  /** Begins only if a thread is free, and stops as soon as others wait. */
  readonly yields?: boolean;
}

interface Question {
  readonly job: Job;
  readonly asker: RequesterPath;
  /** When it is to stop, so that its answer is there in time. */
  readonly stopAt: number;
  readonly yields: boolean;
  readonly resolve: (answer: string) => void;
  readonly reject: (error: Error) => void;
  /** Whether its caller no longer waits for the answer. */
  isAbandoned: boolean;
}

interface Thread {
  readonly worker: Worker;
  readonly lane: Lane;
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly started: number;
  /** Undefined while it loads, which does not count as time of its first judgement. */
  loadMilliseconds: number | undefined;
  current: Running | undefined;
}

interface Running {
  readonly question: Question;
  readonly number: number;
  since: number;
  timer: NodeJS.Timeout | undefined;
  stopped?: string;
}

interface Lane {
  readonly waiting: FairQueue<Question>;
  readonly threads: Thread[];
  readonly most: number;
  /** Milliseconds that a judgement may take while others wait. */
  readonly share: number;
  /** The same while no other waits. */
  readonly shareAlone: number;
  /** Milliseconds between asking a thread to stop and ending it. */
  readonly grace: number;
  /** Milliseconds that a judgement has taken lately. */
  usual: number;
}

/** Until the first judgement is done. */
const usualAtStart = 200;
/** Over how many judgements their time is averaged. */
const usualMemory = 8;

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

/** Questions of at most this size are tried in the quick thread first. */
const quickBytes = 64 * 1024;
/** While others wait ten get their turn in a second; alone, finishing is cheaper than loading another thread. */
const quickShare = { share: 100, shareAlone: 1000 };
/** A small question stops soon: reading it and writing its answer are the longest steps without a check. */
const quickGrace = 200;
/** Part of its time that a question waits for a thread: a caller must learn early that none will answer. */
const patienceInQueue = 0.5;
const tooMany = 'too many heavy judgements are waiting already';
/** A thread is asked to stop so long before the deadline, or at this part of the time, to write its answer. */
const writingMilliseconds = 100;
const writingPart = 1 / 8;

/**
 * Answers operations in threads. A judgement is stopped, or never begun, once its caller no longer waits.
 */
export class JudgePool {
  readonly #options: Required<Omit<JudgePoolOptions, 'policy'>> & Pick<JudgePoolOptions, 'policy'>;
  readonly #quick: Lane;
  readonly #heavy: Lane;
  readonly #kept = new KeptAnswers(keptAnswers * 1024 * 1024);
  #started = 0;
  #isClosed = false;

  constructor(options: JudgePoolOptions = {}) {
    this.#options = { ...defaults, ...options };
    const { hasQuickThread, workers, share, grace } = this.#options;
    const lane = (): Pick<Lane, 'waiting' | 'threads' | 'usual'> => ({
      ...{ waiting: new FairQueue<Question>(), threads: [], usual: usualAtStart },
    });
    this.#quick = {
      ...{ ...lane(), most: hasQuickThread ? 1 : 0 },
      ...{ ...quickShare, grace: Math.min(quickGrace, grace) },
    };
    this.#heavy = { ...lane(), most: workers, share, shareAlone: Infinity, grace };
  }

  /**
   * @returns JSON text, cut short when its time is over @throws UnfinishedError when no answer will come in time
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

  /** Answers one line of NDJSON. @throws UnfinishedError when no answer will come in time */
  answerLine(line: number, input: JobInput, asking: JobRequest = {}): Promise<string> {
    return this.#ask({ line, input }, asking);
  }

  /** Starts the thread for small questions before it is needed, or else the first one; false if there is one. */
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
    const leaveQueue = (left: number): void => {
      if (question !== undefined) this.#dequeue(question, tooMany);
      timer = setTimeout(() => leave('it was not finished in time'), left);
    };
    const onAbort = (): void => leave('nobody waits for it any more');
    const answer = new Promise<string>((resolve, reject) => {
      if (this.#isClosed) throw new UnfinishedError('shutting down', 'closing');
      const left = until - performance.now();
      if (left <= 0 || signal?.aborted === true) {
        throw new UnfinishedError('there is no time left', 'late');
      }
      if (yields && !hasFreeThread(lane)) throw new UnfinishedError('others wait', 'busy');
      const patience = left * patienceInQueue;
      if (waitIn(lane, asker) > patience) throw new UnfinishedError(tooMany, 'busy');
      const stopAt =
        until - (left < Infinity ? Math.max(writingMilliseconds, left * writingPart) : 0);
      question = { job, asker, stopAt, yields, resolve, reject, isAbandoned: false };
      signal?.addEventListener('abort', onAbort);
      if (left < Infinity) {
        timer = setTimeout(() => leaveQueue(left - patience), patience);
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
      dropped?.reject(new UnfinishedError(tooMany, 'busy'));
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
    const { maxValues, policy } = this.#options;
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const worker = startThread(this.#options.worker, {
      workerData: { stop, maxValues, policy } satisfies ThreadData,
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
          ? new UnfinishedError('it takes more memory than one judgement may have', undefined, true)
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

  /** The thread has loaded, and begins the judgement that it was given. */
  #begin(thread: Thread): void {
    thread.loadMilliseconds = performance.now() - thread.started;
    const { current } = thread;
    if (current === undefined) return;
    clearTimeout(current.timer);
    if (current.stopped !== undefined) return this.#endUnlessItStops(thread, current);
    current.since = performance.now();
    this.#watch(thread, current);
  }

  /** Stops a judgement when its share is used up while others wait, or when its time is over. */
  #watch(thread: Thread, running: Running): void {
    const { since, question } = running;
    const elapsed = performance.now() - since;
    const { waiting, threads, most } = thread.lane;
    const isInTheWay = waiting.size > 0 && threads.length >= most;
    const { shareAlone } = thread.lane;
    const shareOfMany = question.yields ? 0 : thread.lane.share;
    const isReady = thread.loadMilliseconds !== undefined;
    const share = !isReady ? Infinity : isInTheWay ? shareOfMany : shareAlone;
    const end = Math.min(this.#options.limit, question.stopAt - since);
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

  /** Stops the judgements that have used up their share, because others wait now. */
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
    this.#dequeue(question, reason);
    for (const { threads } of [this.#quick, this.#heavy]) {
      const thread = threads.find(({ current }) => current?.question === question);
      if (thread !== undefined) this.#stop(thread, reason);
    }
    question.reject(new UnfinishedError(reason));
  }

  /** Refuses a question that no thread has begun with; otherwise nothing. */
  #dequeue(question: Question, reason: string): void {
    for (const { waiting } of [this.#quick, this.#heavy]) {
      const isWaiting = waiting.remove(question.asker, question);
      if (isWaiting) question.reject(new UnfinishedError(reason, 'busy'));
    }
  }

  /** Asks a thread to answer what it has found, and ends it if it does not. */
  #stop(thread: Thread, reason: string): void {
    const { current } = thread;
    if (current === undefined || current.stopped !== undefined) return;
    current.stopped = reason;
    Atomics.store(thread.stop, 0, current.number);
    clearTimeout(current.timer);
    this.#endUnlessItStops(thread, current);
  }

  /** On busy cores a thread may get no time to stop, and loading another one takes seconds there. */
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

  /** Whether a question that the quick thread did not finish is given to another thread. */
  #goesOn(lane: Lane, { job, stopAt, isAbandoned, yields }: Question): boolean {
    const isWanted = !isAbandoned && !yields && !this.#isClosed && givenAway(job).length === 0;
    return lane === this.#quick && isWanted && stopAt > performance.now();
  }

  /** Ends a thread and its judgement; the next judgement starts another thread. */
  #drop(thread: Thread, reason: UnfinishedError): void {
    const { threads } = thread.lane;
    const index = threads.indexOf(thread);
    if (index < 0) return;
    threads.splice(index, 1);
    const { current, lane } = thread;
    const isTooSmall = current?.stopped !== undefined || reason.isTooLarge;
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
    // While others wait none takes more than its share.
    const took = Math.min(lane.share, performance.now() - current.since);
    lane.usual += (took - lane.usual) / usualMemory;
    lane.waiting.finish(current.question.asker);
    return current.question;
  }
}

function hasFreeThread({ waiting, threads, most }: Lane): boolean {
  const isFree = threads.length < most || threads.some(({ current }) => current === undefined);
  return waiting.size === 0 && isFree;
}

/** Milliseconds until a question would begin, at the recent pace. */
function waitIn(lane: Lane, asker: RequesterPath): number {
  if (hasFreeThread(lane)) return 0;
  return ((lane.waiting.ahead(asker) + 1) * lane.usual) / lane.most;
}

/** The key under which the answer is kept; undefined if the question does not say what its answer depends on. */
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

/** Buffers that are transferred to the thread instead of being copied. */
function givenAway(job: Job): ArrayBuffer[] {
  const unread = 'attached' in job ? Object.values(job.attached.unread ?? {}) : [];
  const input = typeof job.input === 'string' ? [] : [job.input];
  // Node cuts small buffers from one that is shared, which cannot be transferred.
  return [...input, ...unread.map(attachedBytes)].flatMap(({ buffer, length }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === length ? [buffer] : [],
  );
}
