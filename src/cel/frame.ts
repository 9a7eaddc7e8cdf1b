/** One evaluation of a rule: its variables and what it may still spend. */
import { NotEvaluable, type EvaluationError } from './errors.js';
import { tooManySteps } from './outcome.js';
import type { CelValue } from './values.js';

/** Steps left for all rules of one object; shared by its frames. */
export interface Budget {
  steps: number;
}

export class Frame {
  /** Variables of macros, by the slot the compiler gave them; an error is one once it is read. */
  readonly locals: (CelValue | EvaluationError)[] = [];

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
      throw new NotEvaluable(tooManySteps);
    }
  }
}
