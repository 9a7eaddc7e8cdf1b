/** The ways in which a rule fails. */

/** The rule's value is an error: the API server refuses the object with this text. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}

/**
 * The API server's evaluator breaks down, which no `||` makes up for: the object is refused with
 * this text.
 */
export class Panic extends Error {
  override readonly name = 'Panic';
}

export function noSuchOverload(): EvaluationError {
  return new EvaluationError('no such overload');
}

/** The rule does not compile: every object it reaches is refused. `position` counts UTF-16 units; -1 when the fault shows only as the program is made. */
export class CompileError extends Error {
  override readonly name = 'CompileError';
  constructor(
    message: string,
    readonly position: number,
    /** Mistakes of parsing hide those that only checking would find. */
    readonly phase: 'parsing' | 'checking' = 'checking',
  ) {
    super(message);
  }
}

/** The rule uses what this evaluator does not have, or ran out of steps: nothing is said about it. */
export class NotEvaluable extends Error {
  override readonly name = 'NotEvaluable';
}
