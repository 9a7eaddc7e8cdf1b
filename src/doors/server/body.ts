/** Reads a request's body with a limit, and says in one sentence why it could not. */
import type { IncomingMessage } from 'node:http';
import { headBytes } from '../admission/review-head.js';

/** An answer other than 200: what the caller did wrong, and how to do it right. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

export interface BodyOptions {
  readonly maxBytes: number;
  /** Stops the read; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Reads a body whatever its content type says. */
  readonly anyType?: boolean;
  /** Told of memory before it is taken; what it throws is the answer. */
  readonly take?: (bytes: number) => void;
}

/** The first bytes of a body that could not be read may still name the review. */
export class UnreadBody extends HttpError {
  constructor(
    status: number,
    code: string,
    message: string,
    readonly head: Buffer,
  ) {
    super(status, code, message);
  }
}

/**
 * @throws HttpError 400 for what is not JSON by its headers or was cut off, 413 past the limit.
 *   UnreadBody 408 when the signal fired first, or with what `take` threw.
 */
export async function readBody(
  request: IncomingMessage,
  { maxBytes, signal, anyType = false, take = () => undefined }: BodyOptions,
): Promise<Buffer> {
  if (!anyType) requireJson(request);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new HttpError(400, 'E_INPUT', 'the body is compressed; send it as it is');
  }
  const tooLarge = (): HttpError =>
    new HttpError(413, 'E_LIMIT', `the body is larger than the limit of ${maxBytes} bytes`);
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > maxBytes) throw tooLarge();

  take(length);
  // A body of known length is written where it stays.
  let body: Buffer = Buffer.allocUnsafe(length);
  let bytes = 0;
  return new Promise<Buffer>((resolve, reject) => {
    const settle = (finish: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const head = (): Buffer => body.subarray(0, Math.min(bytes, headBytes));
    const onData = (chunk: Buffer): void => {
      const end = bytes + chunk.length;
      if (end > maxBytes) return settle(() => reject(tooLarge()));
      if (end > body.length) {
        const size = Math.min(maxBytes, end * 2);
        try {
          take(size - body.length);
        } catch (error) {
          const known = Buffer.concat([head(), chunk.subarray(0, headBytes)]);
          return settle(() => reject(unread(error, known)));
        }
        body = grown(body, bytes, size);
      }
      chunk.copy(body, bytes);
      bytes = end;
    };
    const onEnd = (): void => settle(() => resolve(body.subarray(0, bytes)));
    const onCut = (): void =>
      settle(() => reject(new HttpError(400, 'E_INPUT', 'the body was cut off')));
    const onAbort = (): void =>
      settle(() => {
        reject(new UnreadBody(408, 'E_LIMIT', 'the body did not arrive in time', head()));
      });
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}

function unread(error: unknown, head: Buffer): Error {
  if (error instanceof HttpError) {
    return new UnreadBody(error.status, error.code, error.message, head);
  }
  return error instanceof Error ? error : new Error(String(error));
}

function requireJson(request: IncomingMessage): void {
  const type = (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new HttpError(
      400,
      'E_INPUT',
      `the content type is ${type ? `"${type.slice(0, 80)}"` : 'missing'}; send application/json`,
    );
  }
}

function grown(body: Buffer, bytes: number, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size);
  body.copy(larger, 0, 0, bytes);
  return larger;
}

/**
 * Reads on without keeping, so that a client that writes first and reads later gets its answer;
 * what does not end in time is cut off.
 */
export function drain(request: IncomingMessage, milliseconds = 10_000): void {
  if (request.complete || request.destroyed) return;
  const timer = setTimeout(() => request.socket.destroy(), milliseconds);
  timer.unref();
  request.on('close', () => clearTimeout(timer));
  request.resume();
}

/**
 * The first bytes of a body, as soon as `isEnough` finds in them what it needs; the rest is read
 * without being kept.
 */
export async function readHead(
  request: IncomingMessage,
  signal: AbortSignal,
  isEnough: (head: Buffer) => boolean,
): Promise<Buffer> {
  let head: Buffer = Buffer.alloc(0);
  return new Promise<Buffer>((resolve) => {
    const finish = (): void => {
      request.off('data', onData).off('end', finish).off('error', finish).off('close', finish);
      signal.removeEventListener('abort', finish);
      drain(request);
      resolve(head);
    };
    const onData = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      if (head.length >= headBytes || isEnough(head)) finish();
    };
    request.on('data', onData).on('end', finish).on('error', finish).on('close', finish);
    signal.addEventListener('abort', finish);
    if (signal.aborted) finish();
  });
}
