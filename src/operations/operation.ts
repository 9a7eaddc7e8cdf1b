/** What an operation is: a question with a schema, and a pure judge. */
import type { JsonObject } from '../text/documents/index.js';
import type { Finding } from '../finding.js';

/** What a judge says; `allowed` is part of what scripts rely on. */
export interface Judgement<Output = unknown> {
  readonly allowed: boolean;
  readonly findings: readonly Finding[];
  readonly warnings?: readonly string[];
  readonly output: Output;
}

/** Whether the time for a judgement is over, or nobody waits for it any more. */
export type IsOver = () => boolean;

export interface Operation {
  /** The name that scripts send: `crd`, `range`, … */
  readonly name: string;
  /** One sentence for `--help` and the OpenAPI document. */
  readonly summary: string;
  /** JSON Schema (draft 2020-12) of the input; checked before `judge` runs. */
  readonly input: Readonly<Record<string, unknown>>;
  /** JSON Schema of `output`, for the OpenAPI document. */
  readonly output?: Readonly<Record<string, unknown>>;
  /** Answers within milliseconds whatever a small input says, so that no thread is worth its while. */
  readonly quick?: true;
  /**
   * Pure and synchronous.
   *
   * @param isOver what takes long asks it now and then, and when it is true answers what it has
   * @throws InvalidInputError for an input that has the right shape and cannot be judged.
   */
  judge(input: JsonObject, isOver?: IsOver): Judgement;
}

/** Gives an operation's judge its typed input; the schema is what makes the type true. */
export function defineOperation<Input>(
  operation: Omit<Operation, 'judge'> & { judge(input: Input, isOver?: IsOver): Judgement },
): Operation {
  return { ...operation, judge: (input, isOver) => operation.judge(input as Input, isOver) };
}
