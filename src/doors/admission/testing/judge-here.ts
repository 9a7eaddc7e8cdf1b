import type { JsonObject } from '../../../text/documents/index.js';
import { answerHeavy } from '../heavy-judgements.js';
import type { HeavyJudge } from '../reviewer.js';

/** Answers as a thread does, at once. */
export const judgeHere: HeavyJudge = (operation, input, attached) =>
  Promise.resolve(answerHeavy(operation, input, attached) as unknown as JsonObject);
