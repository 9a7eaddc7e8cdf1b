/** `import { answer } from 'olm-guard/operations'`: every question that there is, by name. */
import type { JsonValue } from '../../text/documents/index.js';
import { answer as answerRequest } from '../operations/answer.js';
import { operations as table } from '../operations/table.js';
import type { Answer } from './answers.js';

export type { Answer, Finding, InputError, Verdict } from './answers.js';

export interface OperationDescription {
  /** What `answer` takes: `crd`, `range`, … */
  readonly name: string;
  readonly summary: string;
  /** JSON Schema (draft 2020-12) of the input. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** Every question that there is. */
export const operations: readonly OperationDescription[] = table.map(
  ({ name, summary, input }) => ({ name, summary, input }),
);

/** @param operation a name in {@link operations}; any other is an answer `E_OPERATION` */
export function answer(operation: string, input: object): Answer {
  return answerRequest(operation, input as JsonValue);
}
