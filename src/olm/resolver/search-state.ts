/** The solver's record of its choices, so that it can take them back. */

/** One choice of OLM's queue: the first candidate that leaves a solution is picked. */
export interface Choice {
  readonly candidates: readonly number[];
  /** Negative for a mandatory variable. */
  readonly constraint: number;
}

/** How long each list was when a decision was made. */
export interface Level {
  readonly trail: number;
  /** The choice that was next. */
  readonly head: number;
  readonly choices: number;
}
