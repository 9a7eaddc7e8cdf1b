/** Turns to do something of which only so much may be under way, shared fairly among those who ask. */
import { setImmediate } from 'node:timers/promises';
import { FairQueue, type RequesterPath } from './fair-queue.js';

// Long work in pieces.

/** This round ends, in which timers and other connections had no turn; and the next, in which they had it. */
export async function wholeTurn(): Promise<void> {
  await setImmediate();
  await setImmediate();
}

interface TurnsOptions {
  /** How many may have theirs at once; no asker has more than are left for others. */
  readonly slots: number;
  /** Milliseconds that a turn takes at least, however soon it is given back. */
  readonly minMilliseconds: number;
  /** Milliseconds. */
  readonly patience: number;
  /** How many may wait; past that, the newest of the asker with most of them gets none. */
  readonly most?: number;
}

interface Waiting {
  readonly begin: () => void;
  readonly drop: () => void;
}

export class Turns {
  readonly #waiting = new FairQueue<Waiting>();
  #free: number;

  constructor(readonly options: TurnsOptions) {
    this.#free = options.slots;
  }

  /** @param gone the asker no longer waits @returns what gives the turn back; undefined when none came in time */
  take(asker: RequesterPath, gone: AbortSignal): Promise<(() => void) | undefined> {
    if (gone.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const settle = (giveBack: (() => void) | undefined): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', leave);
        resolve(giveBack);
      };
      const begin = (): void => {
        const over = performance.now() + this.options.minMilliseconds;
        settle(() => {
          setTimeout(() => this.#finish(asker), Math.max(0, over - performance.now()));
        });
      };
      const waiting = { begin, drop: () => settle(undefined) };
      const leave = (): void => {
        if (this.#waiting.remove(asker, waiting)) settle(undefined);
      };
      const timer = setTimeout(leave, this.options.patience);
      gone.addEventListener('abort', leave);
      this.#waiting.push(asker, waiting);
      this.#serve();
      if (this.#waiting.size > (this.options.most ?? Infinity)) this.#waiting.dropNewest()?.drop();
    });
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#waiting.shift(this.#free);
      if (next === undefined) return;
      this.#free--;
      next.begin();
    }
  }

  #finish(asker: RequesterPath): void {
    this.#waiting.finish(asker);
    this.#free++;
    this.#serve();
  }
}
