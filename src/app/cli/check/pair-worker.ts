/** The thread's side of `parallel-judging.ts`: judges pairs of definitions, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FoundCrd } from '../../../upgrade/index.js';
import {
  documentOf,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../../text/documents/index.js';
import { shareParts } from '../../../text/documents/shared-parts.js';
import { judgeBefore, type HowPairs } from '../../diagnosis/pair-judgement.js';
import type { PairAnswer, PairOrder } from './parallel-judging.js';

const how = workerData as HowPairs;

parentPort?.on('message', ({ index, name, old, next }: PairOrder) => {
  const answer: PairAnswer = { index };
  try {
    const oldCrd = parseJson(old) as JsonObject;
    const newCrd = next === undefined ? oldCrd : (parseJson(next) as JsonObject);
    shareParts(oldCrd, newCrd);
    const judged = judgeBefore(found(name, oldCrd), found(name, newCrd), how);
    parentPort?.postMessage({ ...answer, judged: stringifyJson(judged) });
  } catch {
    // Whoever asked judges it again, and meets the same error with its file and line.
    parentPort?.postMessage(answer);
  }
});

function found(name: string, crd: JsonObject): FoundCrd {
  return { name, crd, document: documentOf(crd), path: [] };
}
