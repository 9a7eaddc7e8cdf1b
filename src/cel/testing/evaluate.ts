/** Expressions without variables, in the CEL of Kubernetes. */
import { checkExpression, kubernetes, makeProgram, type CelValue } from '../index.js';

/** @throws CelMistakes, EvaluationError, Panic, NotEvaluable */
export function evaluate(text: string, steps = 1_000_000): CelValue {
  const checked = checkExpression(text, new Map(), kubernetes);
  return makeProgram(checked, kubernetes).evaluate(new Map(), { steps });
}
