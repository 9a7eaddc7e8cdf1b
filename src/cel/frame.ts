import type { EvaluationError } from './errors.js';
import type { CelValue } from './values.js';

/** Each is asked for its value when the expression reads it; undefined for one that is not there. */
export interface Variables {
  /** @throws EvaluationError */
  get(name: string): CelValue | undefined;
}

export class Frame {
  /** @param locals variables of folds, by the slot that the plan gave them; an error is one once it is read */
  constructor(
    readonly variables: Variables,
    readonly locals: (CelValue | EvaluationError | undefined)[] = [],
  ) {}

  /** The frame as it is around a fold, whose variables begin at the slot. */
  outside(slot: number): Frame {
    return new Frame(this.variables, this.locals.slice(0, slot));
  }
}
