/** The variables of one evaluation. */
import type { EvaluationError } from './errors.js';
import type { CelValue } from './values.js';
import { append } from '../text/long-lists.js';

export class Frame {
  /** Variables of folds, by the slot that the plan gave them; an error is one once it is read. */
  readonly locals: (CelValue | EvaluationError | undefined)[] = [];

  /** @param variables each is asked for its value when the expression reads it */
  constructor(readonly variables: ReadonlyMap<string, () => CelValue>) {}

  /** The frame as it is around a fold, whose variables begin at the slot. */
  outside(slot: number): Frame {
    const frame = new Frame(this.variables);
    append(frame.locals, this.locals.slice(0, slot));
    return frame;
  }
}
