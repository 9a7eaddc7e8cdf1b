/** What evaluating rules gives. */
import type { FieldError } from '../apiserver/field-error.js';

/** A rule that could not be judged; never to be taken as a pass. */
/** Why a rule that runs too long is not evaluated. */
export const tooManySteps = 'the rules need more steps than are allowed';

export interface NotEvaluated {
  readonly field: string;
  readonly reason: string;
}

export interface RulesOutcome {
  readonly errors: readonly FieldError[];
  readonly notEvaluated: readonly NotEvaluated[];
}
