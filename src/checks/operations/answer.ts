import {
  InvalidInputError,
  invalidInput,
  isObject,
  own,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { didYouMean } from '../../text/nearest.js';
import { answerError, answerOperation, type Answer } from './answer-operation.js';
import type { JudgeOptions, Operation } from './operation.js';
import { operations } from './table.js';

const byName = new Map(operations.map((operation) => [operation.name, operation]));
/** @throws InvalidInputError `E_OPERATION` when there is no such operation. */
export function findOperation(name: string): Operation {
  const operation = byName.get(name);
  if (operation !== undefined) return operation;
  const guess = didYouMean(name, byName.keys());
  throw new InvalidInputError('E_OPERATION', `there is no operation "${name}"${guess}`);
}

export function answer(
  name: string,
  input: JsonValue | undefined,
  options?: JudgeOptions,
  find: (name: string) => Operation = findOperation,
): Answer {
  try {
    return answerOperation(find(name), input, options);
  } catch (error) {
    if (error instanceof InvalidInputError) return { error: answerError(error) };
    throw error;
  }
}

/** Answers one request of the NDJSON door; a request that is no request is answered with its error. */
export function answerRequest(request: JsonValue, options?: JudgeOptions): JsonObject {
  if (!isObject(request)) {
    const error = invalidInput('a request must be an object', { path: '$' });
    return { id: null, error: answerError(error) as unknown as JsonObject };
  }
  const id = own(request, 'id') ?? null;
  const operation = own(request, 'operation');
  if (typeof operation !== 'string') {
    const message = 'operation must be the name of an operation';
    const error = new InvalidInputError('E_OPERATION', message, { path: '$.operation' });
    return { id, error: answerError(error) as unknown as JsonObject };
  }
  return {
    id,
    operation,
    ...(answer(operation, own(request, 'input'), options) as unknown as JsonObject),
  };
}
