/** Work that waits for its turn, so that the event loop reads every socket between two pieces of it. */

/** Long enough for several reviews, short enough that nobody behind a socket notices. */
const judgingMilliseconds = 10;

/** Each answer lets its client send the next request, which costs several times the answer. */
const refusingMilliseconds = 3;

/** Node accepts one connection per round; while some wait, most rounds do nothing else. */
const acceptingMilliseconds = 50;

/** Jobs in the order in which they came, a few of each lane per round of the event loop. */
export class Turns {
  readonly #lanes = {
    judge: new Lane(judgingMilliseconds),
    refuse: new Lane(refusingMilliseconds),
  };
  #isScheduled = false;
  #hasAccepted = false;
  #lastSlice = 0;

  /** A connection came in, and more may be waiting behind it. */
  accepted(): void {
    this.#hasAccepted = true;
  }

  /**
   * Calls the job once the sockets that are ready now have been read, and whatever came before it
   * in its lane has had its turn. Its turn is what it does before it first waits.
   */
  run<Result>(lane: 'judge' | 'refuse', job: () => Result | Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#lanes[lane].push(() => {
        try {
          resolve(job());
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      this.#schedule();
    });
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
    const { judge, refuse } = this.#lanes;
    if (!isAccepting || performance.now() - this.#lastSlice > acceptingMilliseconds) {
      judge.takeSlice();
      refuse.takeSlice();
      this.#lastSlice = performance.now();
    }
    if (!judge.isEmpty || !refuse.isEmpty) this.#schedule();
  }
}

class Lane {
  #waiting: (() => void)[] = [];

  constructor(readonly milliseconds: number) {}

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  push(job: () => void): void {
    this.#waiting.push(job);
  }

  /** At least one job, so that the queue moves however slow they are. */
  takeSlice(): void {
    const end = performance.now() + this.milliseconds;
    let done = 0;
    do this.#waiting[done++]?.();
    while (done < this.#waiting.length && performance.now() < end);
    this.#waiting.splice(0, done);
  }
}
