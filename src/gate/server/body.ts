/** Reads a request's body with a limit, and says in one sentence why it could not. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { headBytes } from '../admission/review-head.js';

/** An answer other than 200: what the caller did wrong, and how to do it right. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** The first bytes of a body that was not read whole, which may still name the review. */
    readonly head?: Buffer,
  ) {
    super(message);
  }
}

export interface BodyOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Status of the answer then; 408 unless its bytes may have been unread because of others. */
  readonly lateStatus?: 408 | 429;
  /** Reads a body whatever its content type says. */
  readonly anyType?: boolean;
  /** How long, all in all, hardly anything may come of the body before it is given up. */
  readonly stallMilliseconds?: number;
  /** Told of memory before it is taken; what it throws is the answer. Nothing is read until it resolves. */
  readonly take?: (bytes: number, head: Buffer) => Promise<void> | undefined;
}

/** Looks are counted and not milliseconds: while the gate is too busy to look, it is too busy to read. */
const looks = 8;

/** Each piece of a body costs the same whether it holds one byte or thousands: one more for so many bytes. */
const fewPieces = 1024;
const leastBytesOfPiece = 16;

class Pieces {
  #count = 0;
  #bytes = 0;

  /** @throws HttpError 400 when they are too small to be worth reading; then nothing more is read */
  add(piece: Buffer, request: IncomingMessage): void {
    this.#bytes += piece.length;
    if (++this.#count <= fewPieces + this.#bytes / leastBytesOfPiece) return;
    request.socket.destroy();
    stopParsing(request);
    throw new HttpError(400, 'E_LIMIT', 'the body comes in pieces that are too small');
  }
}

/** Bytes that must have come since the last look. A body of megabytes comes far faster, or not in time. */
const leastBytes = 4096;

/**
 * Memory is taken as bytes arrive. @throws HttpError 400, 408 stalled, 413 past the limit, `lateStatus`, `take`'s
 */
export async function readBody(request: IncomingMessage, options: BodyOptions): Promise<Buffer> {
  const { maxBytes, signal, lateStatus = 408, take = () => undefined } = options;
  if (options.anyType !== true) requireJson(request);
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new HttpError(400, 'E_INPUT', 'the body is compressed; send it as it is');
  }
  const announced = Number(request.headers['content-length'] ?? 0);
  let body: Buffer = Buffer.alloc(0);
  let bytes = 0;
  const pieces = new Pieces();
  let head: Buffer = Buffer.alloc(0);
  /** Bytes since the last look, and looks at which there were hardly any. */
  let fresh = 0;
  let stalled = 0;
  let isWaiting = false;
  let isEnded = false;
  return new Promise<Buffer>((resolve, reject) => {
    const settle = (finish: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onCut).off('close', onCut);
      signal.removeEventListener('abort', onAbort);
      clearInterval(looking);
      finish();
    };
    const fail = (error: unknown): void => settle(() => reject(unread(error, head)));
    const onData = (chunk: Buffer): void => {
      fresh += chunk.length;
      if (head.length < headBytes) {
        head = Buffer.concat([head, chunk.subarray(0, headBytes - head.length)]);
      }
      // A body that is too large is read as far as it names itself.
      const end = bytes + chunk.length;
      try {
        pieces.add(chunk, request);
      } catch (error) {
        return fail(error);
      }
      if (announced > maxBytes ? head.length === headBytes : end > maxBytes) {
        const message = `the body is larger than the limit of ${maxBytes} bytes`;
        return fail(new HttpError(413, 'E_LIMIT', message));
      }
      if (announced > maxBytes) return;
      const keep = (): void => {
        chunk.copy(body, bytes);
        bytes = end;
      };
      if (end <= body.length) return keep();
      const size = Math.min(announced || maxBytes, Math.max(end, 2 * body.length));
      let wait: Promise<void> | undefined;
      try {
        wait = take(size - body.length, head);
      } catch (error) {
        return fail(error);
      }
      const grow = (): void => {
        body = grown(body, bytes, size);
        keep();
      };
      if (wait === undefined) return grow();
      isWaiting = true;
      request.pause();
      wait.then(() => {
        isWaiting = false;
        grow();
        if (isEnded) onEnd();
        else request.resume();
      }, fail);
    };
    // Even a paused request ends with its last bytes, which may be those that wait for memory.
    const onEnd = (): void => {
      isEnded = true;
      if (!isWaiting) settle(() => resolve(body.subarray(0, bytes)));
    };
    const onCut = (): void => {
      if (!isEnded) fail(new HttpError(400, 'E_INPUT', 'the body was cut off'));
    };
    const onAbort = (): void =>
      fail(new HttpError(lateStatus, 'E_LIMIT', 'there was no time to read its body'));
    const { stallMilliseconds } = options;
    const look = (): void => {
      // While it waits for memory it is not the client that takes its time.
      if (!isWaiting && fresh < leastBytes && ++stalled > looks) {
        fail(new HttpError(408, 'E_LIMIT', 'its body did not arrive in time'));
      }
      fresh = 0;
    };
    // Data that has come by now is read first.
    const looking =
      stallMilliseconds === undefined
        ? undefined
        : setInterval(() => setImmediate(look), stallMilliseconds / looks);
    request.on('data', onData).on('end', onEnd).on('error', onCut).on('close', onCut);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}

function unread(error: unknown, head: Buffer): Error {
  if (error instanceof HttpError) {
    return new HttpError(error.status, error.code, error.message, head);
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

/** Of a connection that is closed after the answer no more than this is read for the sake of the answer. */
const drainedBytes = 256 * 1024;

/** So that a client that writes first and reads later gets its answer; what does not end is cut off. */
export function drain(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  let left = response.getHeader('Connection') === 'close' ? drainedBytes : Infinity;
  const timer = setTimeout(() => request.socket.destroy(), 2000);
  timer.unref();
  request.on('close', () => clearTimeout(timer));
  const pieces = new Pieces();
  request.on('data', (piece: Buffer) => {
    left -= piece.length;
    if (left < 0) {
      request.socket.destroy();
      return stopParsing(request);
    }
    try {
      pieces.add(piece, request);
    } catch (error) {
      // Its answer was another already.
      if (!(error instanceof HttpError)) throw error;
    }
  });
  request.resume();
}

/** API servers send `Content-Length`. @returns whether it was refused; then it is answered and closed */
export function refuseChunked(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers['transfer-encoding'] === undefined) return false;
  refuse(request, response, 411, 'send the body with Content-Length, not in chunks');
  return true;
}

/** The same for every body, where there is nothing to send one to. */
export function refuseBody(request: IncomingMessage, response: ServerResponse): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  if (encoding === undefined && Number(length) === 0) return false;
  refuse(request, response, 413, 'requests have no body here');
  return true;
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
): void {
  response.writeHead(status, { Connection: 'close', 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify({ error: { code: 'E_INPUT', message } })}\n`);
  stopParsing(request);
}

/**
 * Of what was read of a connection Node takes every request and piece apart, also once the connection is
 * closed: 64 KiB hold 10,000 pieces or 3,000 requests, with an object made for each. The parser makes none where
 * it has nothing to call. It is used again for other connections, so it gets back what it calls before Node
 * takes it from this one. Node's types do not know of it; were a later Node to keep it elsewhere, the connection
 * is closed as well, only later.
 */
export function stopParsing({ socket }: Pick<IncomingMessage, 'socket'>): void {
  const { parser } = socket as { parser?: Record<number, unknown> | null };
  const calls = Object.entries(parser ?? {}).filter(([, each]) => typeof each === 'function');
  const callbacks = calls.filter(([key]) => /^\d+$/.test(key));
  if (!parser || callbacks.length === 0) return;
  for (const [key] of callbacks) parser[Number(key)] = null;
  socket.prependOnceListener('close', () => Object.assign(parser, Object.fromEntries(callbacks)));
}
