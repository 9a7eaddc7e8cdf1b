/** An operation: a question with a schema, and a pure judge. */
import type { JsonObject } from '../../text/documents/index.js';
import type { Policy } from '../../policy/index.js';
import type { Finding } from '../../rule/index.js';

/** The answer of a judge; `allowed` is part of what scripts rely on, and no error among the findings where it is left out. */
export interface Judgement<Output = unknown> {
  readonly allowed?: boolean;
  readonly findings?: readonly Finding[];
  readonly warnings?: readonly string[];
  readonly bypassedBy?: string | undefined;
  readonly output: Output;
}

/** Whether the time for a judgement is over, or its caller no longer waits. */
export type IsOver = () => boolean;

export interface JudgeOptions {
  /** Asked now and then by steps that take long; when it is true, they answer what they have. */
  readonly isOver?: IsOver | undefined;
  /** Decides the verdict about definitions and bundles, unless the request names a profile. */
  readonly policy?: Policy | undefined;
}

export interface Operation {
  /** The name that scripts send: `crd`, `range`, … */
  readonly name: string;
  /** One sentence for `--help` and the OpenAPI document. */
  readonly summary: string;
  /**
   * JSON Schema (draft 2020-12) of the input; checked before `judge` runs. Objects whose fields it
   * names take no others: a misspelt field would change the verdict unnoticed.
   */
  readonly input: Readonly<Record<string, unknown>>;
  /** JSON Schema of `output`, for the OpenAPI document. */
  readonly output?: Readonly<Record<string, unknown>>;
  /** Answers within milliseconds whatever a small input says, so that no thread is worth its while. */
  readonly quick?: true;
  /** Pure and synchronous. @throws InvalidInputError for an input that cannot be judged */
  judge(input: JsonObject, options?: JudgeOptions): Judgement;
}

/** Gives an operation's judge its typed input; the schema is what makes the type true. */
export function defineOperation<Input>(
  operation: Omit<Operation, 'judge'> & { judge(input: Input, options: JudgeOptions): Judgement },
): Operation {
  return {
    ...operation,
    input: closed(operation.input) as Operation['input'],
    judge: (input, options = {}) => operation.judge(input as Input, options),
  };
}

/** Refuses unknown fields wherever the schema does not say otherwise, as it does of Kubernetes objects. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closed(value)]),
  );
  const isOpen = !('properties' in schema) || 'additionalProperties' in schema;
  return isOpen ? inner : { ...inner, additionalProperties: false };
}
