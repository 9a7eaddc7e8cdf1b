/** Results of evaluating rules. */
import type { FieldError } from '../field-error.js';

/** A rule that could not be judged; never to be taken as a pass. */
export interface NotEvaluated {
  readonly field: string;
  readonly reason: string;
}

export interface RulesOutcome {
  readonly errors: readonly FieldError[];
  readonly notEvaluated: readonly NotEvaluated[];
  /** Cost of the evaluation. */
  readonly steps: number;
}
