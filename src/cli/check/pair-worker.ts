/** The thread's side of `parallel-judging.ts`: judges pairs of definitions, one at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { definitionAt } from '../../upgrade/index.js';
import { parseJson, type JsonObject } from '../../text/documents/index.js';
import { shareParts } from '../../text/documents/shared-parts.js';
import { judgePair, type JudgingOptions, writeJudgement } from '../../checks/index.js';
import type { PairAnswer, PairOrder } from './parallel-judging.js';

const options = workerData as JudgingOptions;

parentPort?.on('message', ({ index, old, next }: PairOrder) => {
  const answer: PairAnswer = { index };
  try {
    const oldCrd = parseJson(old) as JsonObject;
    const newCrd = next === undefined ? oldCrd : (parseJson(next) as JsonObject);
    shareParts(oldCrd, newCrd);
    const judged = judgePair(definitionAt(oldCrd), definitionAt(newCrd), options);
    parentPort?.postMessage({ ...answer, judged: writeJudgement(judged) });
  } catch {
    // Whoever asked judges it again, and meets the same error with its file and line.
    parentPort?.postMessage(answer);
  }
});
