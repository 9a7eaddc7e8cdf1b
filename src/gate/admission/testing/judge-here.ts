import type { JsonObject } from '../../../text/documents/index.js';
import { runWorkerTask } from '../worker-tasks.js';
import type { HeavyJudge } from '../reviewer.js';

/** Answers as a thread does, at once. */
export const judgeHere: HeavyJudge = (operation, input, attached) =>
  Promise.resolve(runWorkerTask(operation, input, attached) as unknown as JsonObject);
