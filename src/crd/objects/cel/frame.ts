/** One evaluation of a rule: its variables and what it may still spend. */
import { NotEvaluable } from './errors.js';
import type { CelValue } from './values.js';

/** Steps left for all rules of one object; shared by its frames. */
export interface Budget {
  steps: number;
}

export class Frame {
  /** Variables of macros, by the slot the compiler gave them. */
  readonly locals: CelValue[] = [];

  /** Self and oldSelf are read when a rule uses them, and fail then if they do not fit the schema. */
  constructor(
    readonly self: () => CelValue,
    readonly oldSelf: () => CelValue,
    private readonly budget: Budget,
  ) {}

  /** @throws NotEvaluable when the budget is spent */
  spend(steps: number): void {
    this.budget.steps -= steps;
    if (this.budget.steps < 0) {
      throw new NotEvaluable('the rules need more steps than are allowed');
    }
  }
}
