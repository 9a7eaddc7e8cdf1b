/** The ways in which an expression fails. */

/** A search meets thousands of errors, whose stack would take most of its time and is never read. */
const WithoutStack = function (this: Error, message: string): void {
  this.message = message;
} as unknown as new (message: string) => Error;
WithoutStack.prototype = Error.prototype;

/** The expression's value is an error; its text is cel-go's. */
export class EvaluationError extends WithoutStack {
  override readonly name = 'EvaluationError';
}

/** cel-go's evaluator breaks down, which no `||` makes up for. */
export class Panic extends Error {
  override readonly name = 'Panic';
}

export function noSuchOverload(): EvaluationError {
  return new EvaluationError('no such overload');
}

/** The expression uses what this evaluator does not have, or ran out of steps: nothing is said about it. */
export class NotEvaluable extends Error {
  override readonly name = 'NotEvaluable';
}

/** cel-go breaks down over the expression itself, before there is a value. */
export class CompilerPanic extends NotEvaluable {}

/** Why an expression that runs too long is not evaluated. */
export const tooManySteps = 'the rules need more steps than are allowed';
