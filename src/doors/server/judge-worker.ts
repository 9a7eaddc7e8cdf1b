/** The worker's side of the pool: answers operations, one at a time. */
import { parentPort } from 'node:worker_threads';
import {
  InvalidInputError,
  isObject,
  parseJson,
  stringifyJson,
} from '../../text/documents/index.js';
import { answer, answerError, type Answer } from '../../operations/answer.js';
import { withAttached, type Attached } from '../../operations/attached.js';
import { answerLine, maxLineBytes } from '../preflight/ndjson.js';

export type Job =
  | {
      readonly operation: string;
      /** JSON text of the operation's input, so that no number loses its text on the way. */
      readonly input: string;
      /** Further fields of it. */
      readonly attached: Attached;
    }
  | {
      /** Its number, and the request as it stands there. */
      readonly line: number;
      readonly input: string;
    };

export interface JobResult {
  /** JSON text of the answer. */
  readonly answer?: string;
  /** What went wrong inside the gate; bad input is an answer. */
  readonly failure?: string;
}

parentPort?.on('message', (job: Job) => {
  let result: JobResult;
  try {
    result = { answer: textOf(job) };
  } catch (error) {
    result = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(result);
});

function textOf(job: Job): string {
  if ('line' in job) {
    const line = { number: job.line, bytes: Buffer.from(job.input) };
    return answerLine(line, { maxBytes: maxLineBytes });
  }
  return stringifyJson(answerJob(job));
}

function answerJob({
  operation,
  input: text,
  attached,
}: Exclude<Job, { readonly line: number }>): Answer {
  try {
    const input = parseJson(text);
    return answer(operation, isObject(input) ? withAttached(input, attached) : input);
  } catch (error) {
    if (error instanceof InvalidInputError) return { error: answerError(error) };
    throw error;
  }
}
