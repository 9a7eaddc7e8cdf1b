/** What the compiler makes of a syntax node. */
import type { Frame } from './frame.js';
import type { CelType } from './types.js';
import type { CelValue } from './values.js';

export type Run = (frame: Frame) => CelValue;

export interface Expression {
  readonly type: CelType;
  /** @throws EvaluationError */
  readonly run: Run;
}
