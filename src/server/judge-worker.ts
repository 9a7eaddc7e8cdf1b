/** The worker's side of the pool: answers operations, one at a time. */
import { parentPort } from 'node:worker_threads';
import { parseJson, stringifyJson } from '../documents/index.js';
import { answer } from '../operations/answer.js';

export interface Job {
  readonly operation: string;
  /** JSON text of the operation's input, so that no number loses its text on the way. */
  readonly input: string;
}

export interface JobResult {
  /** JSON text of the answer. */
  readonly answer?: string;
  /** What went wrong inside the gate; bad input is an answer. */
  readonly failure?: string;
}

parentPort?.on('message', ({ operation, input }: Job) => {
  let result: JobResult;
  try {
    result = { answer: stringifyJson(answer(operation, parseJson(input))) };
  } catch (error) {
    result = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(result);
});
