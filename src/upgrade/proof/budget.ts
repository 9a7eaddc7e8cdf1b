import type { RuleBudget } from '../../kubernetes/index.js';
import type { StringAnswer } from '../../text/regular/find-string.js';

/** Steps of rules that take the time of one value. */
export const stepsPerValue = 25;

/** Steps that rules of one write may take after all is spent: what was found is still described. */
const leastSteps = 250_000;

/** In values made up, validated or compared. A count and no clock: the same pair gets the same answer. */
export class Budget implements RuleBudget {
  private used = 0;

  constructor(
    private readonly most: number,
    /** True once the caller has stopped waiting, even if the count is not full. */
    private readonly isOver: () => boolean = () => false,
    /** Strings that were looked for, by question; shares know those of each other. */
    readonly strings = new Map<string, StringAnswer>(),
  ) {}

  get spent(): number {
    return this.used;
  }

  get left(): number {
    return Math.max(0, this.most - this.used);
  }

  get isSpent(): boolean {
    return this.used >= this.most;
  }

  get stepsLeft(): number {
    return Math.max(leastSteps, this.left * stepsPerValue);
  }

  /** @throws TimeOverError as {@link spend} does */
  spendSteps(steps: number): void {
    this.spend(Math.floor(steps / stepsPerValue));
  }

  /** @throws TimeOverError when the caller waits no longer */
  spend(values: number): void {
    this.used += values;
    this.check();
  }

  /** For work that has no count of its own. @throws TimeOverError as {@link spend} does */
  check(): void {
    if (this.isOver()) throw new TimeOverError();
  }

  /** An equal part of what is left, for one of so many that still come. */
  share(among: number): Budget {
    return new Budget(Math.ceil(this.left / Math.max(1, among)), this.isOver, this.strings);
  }

  take({ used }: Budget): void {
    this.used += used;
  }
}

/** Differences decided until then keep their result; the rest is undecided. */
export class TimeOverError extends Error {
  override readonly name = 'TimeOverError';
}

export const timeOver = 'the time for the proof was over';
