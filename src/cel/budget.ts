/**
 * The budget of an evaluation. The author of an object controls the values, and the author of a
 * definition the expressions: everything that takes longer the larger they are pays for it first.
 */
import { NotEvaluable, tooManySteps } from './errors.js';

export interface Budget {
  steps: number;
}

/** Evaluations do not wait for anything, so one at a time runs. */
let current: Budget = { steps: 0 };

export function within<Given, Result>(
  budget: Budget,
  run: (given: Given) => Result,
  given: Given,
): Result {
  const outer = current;
  current = budget;
  try {
    return run(given);
  } finally {
    current = outer;
  }
}

/** @throws NotEvaluable when the budget is spent */
export function spend(steps: number): void {
  current.steps -= steps;
  if (current.steps < 0) throw new NotEvaluable(tooManySteps);
}

/** Looking through a text is much faster than evaluating anything. */
export function spendOnText(length: number): void {
  spend(length / 10);
}
