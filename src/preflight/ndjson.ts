/** The NDJSON door: one request per line in, one answer per line out, in order. */
import {
  InvalidInputError,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../documents/index.js';
import { answerError, answerRequest } from '../operations/answer.js';
import { readLines, type Line } from '../documents/lines.js';

/** A line holds both versions of a CustomResourceDefinition, or a whole catalog. */
export const maxLineBytes = 512 * 1024 * 1024;

/**
 * Answers line by line; memory is bounded by the longest line, not by their number.
 *
 * @param input bytes of NDJSON
 * @returns the answers, each with its newline
 */
export async function* answerLines(
  input: AsyncIterable<Buffer | string>,
  maxBytes = maxLineBytes,
): AsyncGenerator<string> {
  for await (const line of readLines(input, maxBytes)) {
    yield `${stringifyJson(answerLine(line, maxBytes))}\n`;
  }
}

function answerLine(line: Line, maxBytes: number): JsonObject {
  try {
    if ('tooLong' in line) {
      throw new InvalidInputError('E_LIMIT', `the line is longer than ${maxBytes} bytes`);
    }
    return answerRequest(parseJson(line.bytes, { maxBytes }));
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    const { column } = error.where;
    const placed = new InvalidInputError(error.code, error.message, {
      line: line.number,
      ...(column === undefined ? {} : { column }),
    });
    return { id: null, error: answerError(placed) as unknown as JsonObject };
  }
}
