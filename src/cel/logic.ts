/** `&&`, `||` and `?:`: a false or true on one side makes an error on the other one not count. */
import { EvaluationError, noSuchOverload } from './errors.js';
import type { Run } from './expression.js';
import type { Frame } from './frame.js';
import type { CelValue } from './values.js';

/** The value, or the error that it is. */
export function attempt(run: Run, frame: Frame): CelValue | EvaluationError {
  try {
    return run(frame);
  } catch (error) {
    if (error instanceof EvaluationError) return error;
    throw error;
  }
}

/** `decisive` is the value of one side that decides: false for `&&`, true for `||`. */
export function connective(left: Run, right: Run, decisive: boolean): Run {
  return (frame) => {
    const first = attempt(left, frame);
    if (first === decisive) return decisive;
    const second = attempt(right, frame);
    return combine(first, second, decisive);
  };
}

/** @throws EvaluationError where neither side decides */
export function combine(
  first: CelValue | EvaluationError,
  second: CelValue | EvaluationError,
  decisive: boolean,
): boolean {
  if (first === decisive || second === decisive) return decisive;
  if (first === !decisive && second === !decisive) return !decisive;
  if (first instanceof EvaluationError) throw first;
  if (second instanceof EvaluationError) throw second;
  throw noSuchOverload();
}

export function conditional(condition: Run, yes: Run, no: Run): Run {
  return (frame) => {
    const value = condition(frame);
    if (value === true) return yes(frame);
    if (value === false) return no(frame);
    throw noSuchOverload();
  };
}
