/** Gives waiting reviews their turn: each kind gets its share, and sockets are read between two turns. */
import { UnfinishedError } from '../admission/reviewer.js';
import { FairQueue, type RequesterPath } from '../admission/fair-queue.js';
import { smallest } from '../../text/long-lists.js';

/** Long enough for several reviews, short enough that no client notices. */
const judgingMilliseconds = 10;

/** A late refusal is as good as none, but each lets its client send more: an eighth of a round, within these. */
const refusingMilliseconds = 10;
const maxRefusingMilliseconds = 250;

/** Node accepts one connection per round; while some wait, most rounds do nothing else. */
const acceptingMilliseconds = 50;

/** Over how many turns their interval is averaged. */
const intervalMemory = 32;

/** Memory for what is built from bodies; lanes with the same one share it. */
export interface Heap {
  readonly limit: number;
  held: number;
}

export interface LaneOptions {
  /** How much of the time for judging is the lane's while others wait too. */
  readonly share: number;
  /** How many of its reviews may be under way at once. */
  readonly slots: () => number;
  readonly heap: Heap;
}

export interface TurnOptions {
  /** The requester: within a lane each gets a turn, and leaves room for others. */
  readonly asker: RequesterPath;
  readonly heapBytes: number;
  /** When to begin though no slot is free, on the clock of `performance.now()`. */
  readonly hurryAt: number;
  /** When it must be done, on the same clock. */
  readonly until: number;
}

export interface Turn {
  /** There was no slot in time: it must not wait for anything, and use few milliseconds. */
  readonly isHurried: boolean;
  /** Says how much of the heap it really takes. */
  readonly settle: (heapBytes: number) => void;
}

interface Waiting extends TurnOptions {
  readonly start: (turn: Turn) => Promise<void>;
}

export class Scheduler<Name extends string> {
  readonly #lanes: ReadonlyMap<Name, Lane>;
  #refusals: (() => void)[] = [];
  #isScheduled = false;
  #hasAccepted = false;
  #lastSlice = 0;

  constructor(lanes: Readonly<Record<Name, LaneOptions>>) {
    const entries = Object.entries(lanes) as [Name, LaneOptions][];
    this.#lanes = new Map(entries.map(([name, options]) => [name, new Lane(options)]));
  }

  /** How many reviews have not begun. */
  get waiting(): number {
    let sum = 0;
    for (const lane of this.#lanes.values()) sum += lane.waiting;
    return sum;
  }

  /** A connection came in, and more may be waiting behind it. */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /** Once the sockets that are ready have been read. Its slot is its own until it is done. @throws UnfinishedError when its turn would come too late */
  run<Result>(
    name: Name,
    options: TurnOptions,
    job: (turn: Turn) => Result | Promise<Result>,
  ): Promise<Result> {
    const lane = this.#lanes.get(name);
    if (lane === undefined) throw new Error(`there is no lane ${name}`);
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const waiting: Waiting = {
        ...options,
        start: async (turn) => {
          clearTimeout(timer);
          try {
            resolve(await job(turn));
          } catch (error) {
            reject(error instanceof Error ? error : new Error(String(error)));
          }
        },
      };
      const at = (time: number, then: () => void): void => {
        timer = setTimeout(then, Math.max(0, time - performance.now())).unref();
      };
      const giveUp = (): void => {
        lane.remove(waiting);
        reject(new UnfinishedError('its turn would come too late', 'late'));
      };
      if (!lane.push(waiting, this.#leastTime())) return giveUp();
      at(options.hurryAt, () => {
        if (!lane.hurry(waiting)) return giveUp();
        at(options.until, giveUp);
        this.#schedule();
      });
      this.#schedule();
    });
  }

  /** Calls the job, which answers without judging, once the sockets that are ready have been read. */
  refuse(job: () => void): void {
    this.#refusals.push(job);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#round());
  }

  #round(): void {
    this.#isScheduled = false;
    const isAccepting = this.#hasAccepted;
    this.#hasAccepted = false;
    let isWaiting = true;
    const sinceLast = performance.now() - this.#lastSlice;
    if (!isAccepting || sinceLast > acceptingMilliseconds) {
      isWaiting = this.#judge();
      this.#refuse(clamp(refusingMilliseconds, sinceLast / 8, maxRefusingMilliseconds));
      this.#lastSlice = performance.now();
    }
    if (isWaiting || this.#refusals.length > 0) this.#schedule();
  }

  /** At least one job, so that the queue moves however slow they are; false when none can begin. */
  #judge(): boolean {
    const end = performance.now() + judgingMilliseconds;
    do {
      const lane = this.#nextLane();
      if (lane === undefined) return false;
      lane.start(() => this.#schedule());
    } while (performance.now() < end);
    return true;
  }

  #refuse(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    let done = 0;
    do this.#refusals[done++]?.();
    while (done < this.#refusals.length && performance.now() < end);
    this.#refusals.splice(0, done);
  }

  /** The lane with a waiting review that has used least of its share of the time. */
  #nextLane(): Lane | undefined {
    const ready = [...this.#lanes.values()].filter((lane) => lane.peek() !== undefined);
    ready.sort((a, b) => a.time - b.time);
    const full = new Set<Heap>();
    for (const lane of ready) {
      // A lane that finds the heap full is the next to get what is given back, or large reviews never would.
      if (!full.has(lane.heap) && lane.fits()) return lane;
      full.add(lane.heap);
    }
    return undefined;
  }

  #leastTime(): number {
    const times = [...this.#lanes.values()].filter(({ isIdle }) => !isIdle).map(({ time }) => time);
    return times.length === 0 ? 0 : smallest(times);
  }
}

function clamp(min: number, value: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}

class Lane {
  /** Milliseconds that it has had, by its share. */
  time = 0;
  readonly heap: Heap;
  readonly #options: LaneOptions;
  readonly #waiting = new FairQueue<Waiting>();
  /** Reviews that can wait no longer. */
  readonly #hurried: Waiting[] = [];
  /** Taken from those that wait, and not begun for want of memory. */
  #next: Waiting | undefined;
  /** Milliseconds from one turn to the next while there is always one who waits, lately. */
  #interval = 0;
  #lastStart: number | undefined;
  #underWay = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.heap = options.heap;
  }

  get waiting(): number {
    return this.#waiting.size + this.#hurried.length + (this.#next === undefined ? 0 : 1);
  }

  get isIdle(): boolean {
    return this.#underWay === 0 && this.waiting === 0;
  }

  /**
   * False when its turn would come too late. @param time of the other lanes: none saves up time while it is idle
   */
  push(waiting: Waiting, time: number): boolean {
    if (this.isIdle) {
      this.time = Math.max(this.time, time);
      this.#lastStart = undefined;
    }
    if (this.#isTooLate(this.#waiting.ahead(waiting.asker), waiting.hurryAt)) return false;
    this.#waiting.push(waiting.asker, waiting);
    return true;
  }

  /** Lets it begin without a slot; false when that would be too late as well. */
  hurry(waiting: Waiting): boolean {
    this.remove(waiting);
    if (this.#isTooLate(this.#hurried.length, waiting.until)) return false;
    this.#hurried.push(waiting);
    return true;
  }

  #isTooLate(ahead: number, until: number): boolean {
    return performance.now() + ahead * this.#interval > until;
  }

  remove(waiting: Waiting): boolean {
    const index = this.#hurried.indexOf(waiting);
    if (index >= 0) this.#hurried.splice(index, 1);
    else if (this.#next === waiting) {
      this.#next = undefined;
      this.#waiting.finish(waiting.asker);
    } else return this.#waiting.remove(waiting.asker, waiting);
    return true;
  }

  /** The next one that may begin. */
  peek(): Waiting | undefined {
    if (this.#hurried.length > 0) return this.#hurried[0];
    const free = this.#options.slots() - this.#underWay;
    if (free > 0) this.#next ??= this.#waiting.shift(free);
    return this.#next;
  }

  /** Whether there is memory for the next one. The largest of all begins only when nothing else holds any. */
  fits(): boolean {
    const { held, limit } = this.heap;
    return held === 0 || held + (this.peek()?.heapBytes ?? 0) <= limit;
  }

  /** Begins the next one; `onRoom` is called when others may find a slot or memory that it had. */
  start(onRoom: () => void): void {
    const next = this.peek();
    if (next === undefined) return;
    const isHurried = this.#hurried[0] === next;
    if (isHurried) this.#hurried.shift();
    else {
      this.#next = undefined;
      this.#underWay++;
    }
    let held = 0;
    const settle = (heapBytes: number): void => {
      this.heap.held += heapBytes - held;
      held = heapBytes;
      onRoom();
    };
    settle(next.heapBytes);
    const begin = performance.now();
    if (this.#lastStart !== undefined) {
      this.#interval += (begin - this.#lastStart - this.#interval) / intervalMemory;
    }
    this.#lastStart = this.waiting === 0 ? undefined : begin;
    const end = next.start({ isHurried, settle });
    this.time += (performance.now() - begin) / this.#options.share;
    void end.then(() => {
      if (!isHurried) {
        this.#underWay--;
        this.#waiting.finish(next.asker);
      }
      settle(0);
    });
  }
}
