/**
 * `import { answer } from 'olm-guard/operations'`: every question that there is, by name.
 *
 * @module olm-guard/operations
 */
import type { JsonValue } from '../../text/documents/index.js';
import { answer as answerRequest } from '../operations/answer.js';
import { operations as table } from '../operations/table.js';
import type { Answer } from './answers.js';

export type * from './answers.js';

/** A question, and what it takes. */
export interface OperationDescription {
  /** The name that `answer` takes: `crd`, `range`, … */
  readonly name: string;
  readonly summary: string;
  /** JSON Schema (draft 2020-12) of the input. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Every question that there is. */
export const operations: readonly OperationDescription[] = table.map(
  ({ name, summary, input }) => ({ name, summary, input }),
);

/** The answer to a question. @param operation a name in {@link operations}; any other is an answer `E_OPERATION` */
export function answer(operation: string, input: object): Answer {
  return answerRequest(operation, input as JsonValue);
}
