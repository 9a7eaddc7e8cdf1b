/** Answers that any caller may ask for and that cost much: made once for all who ask, and written as they are read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequesterPath } from '../admission/fair-queue.js';
import { Turns } from '../admission/turns.js';
import { networkOf } from './network.js';

/** From one begin to the next at least: a second, and ten times what making it took. */
const leastMilliseconds = 1000;
const mostMilliseconds = 5000;
const leastTimes = 10;

/** As many requests wait as have their turn in time. Prometheus waits 10 s for a scrape. */
const turnsToWrite = { slots: 16, minMilliseconds: 1000, patience: 8000, most: 128 };

/** Only this much is handed to a connection before its client has taken it. */
const pieceBytes = 64 * 1024;

/** Writes an answer that callers share; many connections of one machine gain it nothing. */
export class SharedAnswer {
  readonly #turns = new Turns(turnsToWrite);
  #next: Promise<Buffer> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** When the next one may be made, on the clock of `performance.now()`. */
  #notBefore = 0;

  constructor(
    readonly contentType: string,
    readonly make: () => Promise<string> | string,
  ) {}

  /** Answers 200, or 503 when so many ask that it gets no turn; rejects when it cannot be made. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { asker, gone } = askerOf(request, response);
    const giveBack = await this.#turns.take(asker, gone);
    try {
      if (response.destroyed) return;
      if (giveBack === undefined) {
        response.writeHead(503, { 'Content-Type': 'text/plain', 'Retry-After': '1' });
        response.end('too many ask; try again\n');
        return;
      }
      await this.#write(await this.bytes(), response);
    } finally {
      giveBack?.();
    }
  }

  /** Made after it was asked for, once for all who ask until it begins. */
  bytes(): Promise<Buffer> {
    return (this.#next ??= this.#makeNext());
  }

  async #makeNext(): Promise<Buffer> {
    await this.#last;
    const wait = this.#notBefore - performance.now();
    if (wait > 0) await sleep(wait);
    this.#next = undefined;
    const begin = performance.now();
    const making = Promise.resolve(this.make());
    this.#last = making.then(
      () => undefined,
      () => undefined,
    );
    try {
      return Buffer.from(await making);
    } finally {
      const took = leastTimes * (performance.now() - begin);
      this.#notBefore = begin + Math.min(mostMilliseconds, Math.max(leastMilliseconds, took));
    }
  }

  async #write(bytes: Buffer, response: ServerResponse): Promise<void> {
    if (response.destroyed) return;
    response.writeHead(200, { 'Content-Type': this.contentType, 'Content-Length': bytes.length });
    // Without a connection there is no one to answer.
    await pipeline(Readable.from(piecesOf(bytes)), response).catch(() => undefined);
  }
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Machines take turns, and so do the connections of one machine. */
export function askerOf(
  { socket }: Pick<IncomingMessage, 'socket'>,
  response: ServerResponse,
): { readonly asker: RequesterPath; readonly gone: AbortSignal } {
  const { remoteAddress: address = '', remotePort = 0 } = socket;
  const gone = new AbortController();
  // Without a reason it would make an error with its stack for each.
  response.once('close', () => gone.abort('gone'));
  return { asker: [networkOf(address), address, String(remotePort)], gone: gone.signal };
}
