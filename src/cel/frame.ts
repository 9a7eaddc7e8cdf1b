/** The variables of one evaluation. */
import type { EvaluationError } from './errors.js';
import type { CelValue } from './values.js';

export class Frame {
  /**
   * @param variables each is asked for its value when the expression reads it
   * @param locals variables of folds, by the slot that the plan gave them; an error is one once it is read
   */
  constructor(
    readonly variables: ReadonlyMap<string, () => CelValue>,
    readonly locals: (CelValue | EvaluationError | undefined)[] = [],
  ) {}

  /** The frame as it is around a fold, whose variables begin at the slot. */
  outside(slot: number): Frame {
    return new Frame(this.variables, this.locals.slice(0, slot));
  }
}
