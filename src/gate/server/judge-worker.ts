/** The worker's side of the pool: answers operations, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import {
  InvalidInputError,
  isObject,
  limitValues,
  stringifyJson,
} from '../../text/documents/index.js';
import type { Policy } from '../../policy/index.js';
import { runWorkerTask } from '../admission/worker-tasks.js';
import {
  answer,
  answerError,
  type Answer,
  type Attached,
  answerLine,
  maxLineBytes,
} from '../../checks/index.js';
import { bytesOf, readInput, type JobInput } from './job-input.js';

export type Job =
  | {
      readonly operation: string;
      /** JSON text of the operation's input, so that no number loses its text on the way. */
      readonly input: JobInput;
      readonly attached: Attached;
    }
  | {
      /** Its number, and the request as it is there. */
      readonly line: number;
      readonly input: JobInput;
    };

export type JobMessage = Job & {
  /** Never the same for two that follow each other. */
  readonly number: number;
};

export interface JobResult {
  readonly answer?: string;
  /** An error inside the gate; bad input is an answer. */
  readonly failure?: string;
  /** The answer is what there was when it was asked to stop. */
  readonly isCutShort?: boolean;
}

/** Messages of a thread: once that it is ready, and then to each job its result. */
export type ThreadMessage = 'ready' | JobResult;

export interface ThreadData {
  /** Holds the number of the job that is to stop. */
  readonly stop: Int32Array<SharedArrayBuffer>;
  /** How many values one document may hold. */
  readonly maxValues?: number | undefined;
  /** Decides about questions that name no profile. */
  readonly policy?: Policy | undefined;
}

const { stop, maxValues, policy } = workerData as ThreadData;
if (maxValues !== undefined) limitValues(maxValues);

parentPort?.on('message', (job: JobMessage) => {
  let isCutShort = false;
  const isOver = (): boolean => (isCutShort ||= Atomics.load(stop, 0) === job.number);
  let result: JobResult;
  try {
    result = { answer: textOf(job, isOver), isCutShort };
  } catch (error) {
    result = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  parentPort?.postMessage(result);
});
parentPort?.postMessage('ready' satisfies ThreadMessage);

function textOf(job: Job, isOver: () => boolean): string {
  if ('line' in job) {
    const line = { number: job.line, bytes: bytesOf(job.input) };
    return answerLine(line, { maxBytes: maxLineBytes, isOver, policy });
  }
  return stringifyJson(answerJob(job, isOver));
}

function answerJob(
  { operation, input: text, attached }: Exclude<Job, { readonly line: number }>,
  isOver: () => boolean,
): Answer {
  try {
    const input = readInput(bytesOf(text), attached);
    return isObject(input)
      ? runWorkerTask(operation, input, attached, { isOver, policy })
      : answer(operation, input);
  } catch (error) {
    if (error instanceof InvalidInputError) return { error: answerError(error) };
    throw error;
  }
}
