import type { JsonValue } from '../../text/documents/index.js';
import { answerOperation } from '../operations/answer-operation.js';
import type { Operation } from '../operations/operation.js';
import type { Answer } from './answers.js';

export function answerOf(operation: Operation, input: object): Answer {
  return answerOperation(operation, input as JsonValue);
}
