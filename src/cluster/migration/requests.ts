/** Requests to an API server at a pace of our own, or at the server's where it asks for a slower one. */
import { setMaxListeners } from 'node:events';
import { delayBefore } from '../view/backoff.js';
import type { Connection, RequestInit } from '../view/connection.js';
import { ClusterError } from '../view/view.js';
import { isObject, parseJson, type JsonObject } from '../../text/documents/index.js';

export interface RequestOptions {
  /** Requests each second, at most. */
  readonly qps: number;
  readonly signal?: AbortSignal;
}

/** How often a request is sent that gets no answer, or one that may be another next time. */
const defaultMaxTries = 8;
/** How often a request waits because the server has too much to do: 429 says that nothing is wrong. */
const maxRefusals = 100;
const longestWaitSeconds = 60;
/** Paged requests stay small; a conversion webhook may take its 30 seconds. */
const deadlineMilliseconds = 60_000;

/** The migration ends, because to go on would lose something; the message says what to do. */
export class MigrationRefusal extends Error {
  override readonly name = 'MigrationRefusal';
}

export class Requests {
  private next = 0;

  constructor(
    readonly connection: Connection,
    private readonly options: RequestOptions,
  ) {
    // Every request that is under way listens.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
  }

  /** @param maxTries in all, where it fails in a way that may pass; 429 does not count @throws ClusterError */
  async json(init: RequestInit, maxTries = defaultMaxTries): Promise<JsonObject> {
    return (await this.sized(init, maxTries)).object;
  }

  /** The object at a path; undefined for a 404 to a GET, which no admission webhook answers. @throws ClusterError */
  async find(path: string, maxTries = defaultMaxTries): Promise<JsonObject | undefined> {
    try {
      return await this.json({ path }, maxTries);
    } catch (error) {
      if (error instanceof ClusterError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** One object of JSON, with the size of the answer. @throws ClusterError */
  async sized(
    init: RequestInit,
    maxTries = defaultMaxTries,
  ): Promise<{ object: JsonObject; bytes: number }> {
    let failed = 0;
    for (let refused = 0; ;) {
      await this.turn();
      try {
        const signals = [AbortSignal.timeout(deadlineMilliseconds)];
        if (this.options.signal !== undefined) signals.push(this.options.signal);
        const signal = AbortSignal.any(signals);
        const bytes = await this.connection.read({ ...init, signal });
        const object = parseJson(bytes);
        if (!isObject(object))
          throw new ClusterError(`${init.path} was not answered with an object`);
        return { object, bytes: bytes.length };
      } catch (error) {
        this.options.signal?.throwIfAborted();
        if (!(error instanceof ClusterError)) throw error;
        const { status, again } = error;
        const afterSeconds = Math.min(again.afterSeconds ?? 0, longestWaitSeconds);
        if (again.isTooLarge === true) throw error;
        if (status === 429 && refused++ < maxRefusals) {
          // The server means every caller.
          const milliseconds = (again.afterSeconds === undefined ? 1 : afterSeconds) * 1000;
          this.next = Math.max(this.next, performance.now() + milliseconds);
        } else if ((status === undefined || status >= 500) && ++failed < maxTries) {
          await this.pause(Math.max(delayBefore(failed), afterSeconds * 1000));
        } else {
          throw error;
        }
      }
    }
  }

  /** Evenly spaced: a burst is what fair queueing refuses first. */
  private async turn(): Promise<void> {
    this.options.signal?.throwIfAborted();
    for (;;) {
      const now = performance.now();
      // A timer ends up to a few milliseconds late: so much is made up for.
      const at = Math.max(this.next, now - latenessMilliseconds);
      if (at <= now) {
        this.next = at + 1000 / this.options.qps;
        return;
      }
      await this.pause(at - now);
    }
  }

  /** @throws the reason of the signal that ends it */
  async pause(milliseconds: number): Promise<void> {
    const { signal } = this.options;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      signal?.addEventListener('abort', done);
    });
    signal?.throwIfAborted();
  }
}

const latenessMilliseconds = 50;
