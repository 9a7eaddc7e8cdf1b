/** Answers a question at once if that is sure to be quick, else in a thread of the pool. */
import { UnfinishedError } from '../admission/reviewer.js';
import {
  InvalidInputError,
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonValue,
} from '../../text/documents/index.js';
import type { Line } from '../../text/documents/lines.js';
import { answer, findOperation, type AnswerError, answerLine } from '../../checks/index.js';
import { HttpError } from './body.js';
import type { JobRequest, JudgePool } from './judge-pool.js';

/** Parsing a larger question alone takes too long for the event loop. */
const quickBytes = 64 * 1024;

export interface QuestionOptions {
  readonly pool: JudgePool;
  readonly maxBytes: number;
  readonly onDefect: (error: unknown) => AnswerError;
}

export interface Caller {
  readonly address: string;
  readonly gone: AbortSignal;
}

export interface QuestionAnswer {
  /** JSON: `{verdict, output}` or `{error}`. */
  readonly text: string;
  readonly outcome: 'allowed' | 'denied' | 'error';
  readonly code?: string;
}

export class Questions {
  constructor(readonly options: QuestionOptions) {}

  /** @throws InvalidInputError, HttpError 413 or 429 when the pool gave up or is full */
  async answerBody(
    operation: string,
    body: Buffer,
    caller: Caller,
    format: { readonly isYaml?: boolean } = {},
  ): Promise<QuestionAnswer> {
    const { pool, maxBytes } = this.options;
    const isQuick = findOperation(operation).quick === true && format.isYaml !== true;
    if (isQuick && body.length <= quickBytes) {
      return summarized(stringifyJson(answer(operation, parseJson(body, { maxBytes }))));
    }
    try {
      const asking = askingOf(caller, body.length);
      return summarized(await pool.judge(operation, givenAway(body), format, asking));
    } catch (error) {
      throw error instanceof UnfinishedError ? refusal(error) : error;
    }
  }

  async answerLine(line: Line, caller: Caller): Promise<string> {
    const { pool, maxBytes, onDefect } = this.options;
    if ('tooLong' in line || isQuick(line.bytes)) return answerLine(line, { maxBytes, onDefect });
    const id = idOf(line.bytes);
    try {
      const asking = askingOf(caller, line.bytes.length);
      return await pool.answerLine(line.number, givenAway(line.bytes), asking);
    } catch (error) {
      const { code, message } = error instanceof UnfinishedError ? refusal(error) : onDefect(error);
      return `${stringifyJson({ id, error: { code, message } })}\n`;
    }
  }
}

/** Questions are distinguished by size too: on loopback all clients have one address, and heavy questions are larger. */
function askingOf({ address, gone }: Caller, bytes: number): JobRequest {
  return { asker: [address, String(Math.ceil(Math.log2(bytes + 1)))], signal: gone };
}

function isQuick(line: Buffer): boolean {
  if (line.length > quickBytes) return false;
  const operation = fieldOf(line, 'operation');
  if (typeof operation !== 'string') return true;
  try {
    return findOperation(operation).quick === true;
  } catch {
    return true;
  }
}

/** The id of a question; for a large line, which is not parsed here, only if it comes first. */
function idOf(line: Buffer): JsonValue {
  if (line.length <= quickBytes) return fieldOf(line, 'id') ?? null;
  const [, first] = firstId.exec(line.toString('utf8', 0, 4096)) ?? [];
  return first === undefined ? null : parseJson(first);
}

const firstId = /^\s*\{\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+|null|true|false)\s*,/;

/** Large bytes are transferred to the thread instead of being copied. */
function givenAway(bytes: Buffer): string | Uint8Array<ArrayBuffer> {
  if (bytes.length <= quickBytes) return bytes.toString();
  const { buffer, byteOffset, byteLength } = bytes;
  const isWhole = buffer.byteLength === byteLength && buffer instanceof ArrayBuffer;
  return isWhole ? new Uint8Array(buffer, byteOffset, byteLength) : Uint8Array.from(bytes);
}

function fieldOf(line: Buffer, field: string): JsonValue | undefined {
  try {
    const request = parseJson(line);
    return isObject(request) ? own(request, field) : undefined;
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

function refusal({ message, notBegun }: UnfinishedError): HttpError {
  return new HttpError(notBegun === undefined ? 413 : 429, 'E_LIMIT', message);
}

function summarized(text: string): QuestionAnswer {
  const { verdict, error } = JSON.parse(text) as {
    readonly verdict?: { readonly allowed: boolean };
    readonly error?: { readonly code: string };
  };
  if (error !== undefined) return { text, outcome: 'error', code: error.code };
  return { text, outcome: verdict?.allowed === true ? 'allowed' : 'denied' };
}
