/** The NDJSON door: one request per line in, one answer per line out, in order. */
import {
  InvalidInputError,
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../text/documents/index.js';
import { answerRequest } from '../operations/answer.js';
import { answerError, type AnswerError } from '../operations/answer-operation.js';
import type { JudgeOptions } from '../operations/operation.js';
import { readLines, type Line } from '../../text/documents/lines.js';

/** A line holds both versions of a CustomResourceDefinition, or a whole catalog. */
export const maxLineBytes = 512 * 1024 * 1024;

export interface LineOptions extends JudgeOptions {
  readonly maxBytes: number;
  /** Turns what no rule foresaw into an answer; without it the error is thrown. */
  readonly onDefect?: (error: unknown) => AnswerError;
}

/** Answers line by line; memory is bounded by the longest line, not by their number. */
export async function* answerLines(
  input: AsyncIterable<Buffer | string>,
  options: LineOptions = { maxBytes: maxLineBytes },
  answerOne: (line: Line) => string | Promise<string> = (line) => answerLine(line, options),
): AsyncGenerator<string> {
  for await (const line of readLines(input, options.maxBytes)) yield await answerOne(line);
}

export function answerLine(line: Line, options: LineOptions): string {
  return `${stringifyJson(lineAnswer(line, options))}\n`;
}

function lineAnswer(line: Line, { maxBytes, onDefect, ...options }: LineOptions): JsonObject {
  let id: JsonValue = null;
  try {
    if ('tooLong' in line) {
      throw new InvalidInputError('E_LIMIT', `the line is longer than ${maxBytes} bytes`);
    }
    const request = parseJson(line.bytes, { maxBytes });
    if (isObject(request)) id = own(request, 'id') ?? null;
    return answerRequest(request, options);
  } catch (error) {
    if (!(error instanceof InvalidInputError)) {
      if (onDefect === undefined) throw error;
      return { id, error: onDefect(error) as unknown as JsonObject };
    }
    const { column } = error.where;
    const placed = new InvalidInputError(error.code, error.message, { line: line.number, column });
    return { id: null, error: answerError(placed) as unknown as JsonObject };
  }
}
