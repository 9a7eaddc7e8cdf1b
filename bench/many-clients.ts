/** Many clients at once, as so many API server requests under way: what the gate answers them. */
import { Agent } from 'node:https';
import { send } from '../test/server/gate.js';
import type { GateProcess } from './gate-process.js';

export interface Load {
  readonly clients: number;
  readonly seconds: number;
  /** What each review says its API server waits; a client gives up then. */
  readonly timeoutSeconds: number;
  /** Bodies of reviews, sent one after the other. */
  readonly reviews: readonly (string | Buffer)[];
  /** How many clients open their connections at a time before the load begins; all, with it, without. */
  readonly openingAtATime?: number;
}

export interface LoadResult {
  readonly answers: number;
  /** Answers by policy, to reviews that were not judged. */
  readonly unjudged: number;
  /** What was no answer with status 200 in time, each in a few words with its count. */
  readonly failures: ReadonlyMap<string, number>;
  readonly slowestSeconds: number;
}

/** Each client sends one review after the other over its own connection until the time is over. */
export async function loadWithClients(
  { url, authority }: Pick<GateProcess, 'url' | 'authority'>,
  { clients, seconds, timeoutSeconds, reviews, openingAtATime }: Load,
): Promise<LoadResult> {
  const agents = Array.from(
    { length: clients },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  );
  if (openingAtATime !== undefined) {
    for (let first = 0; first < clients; first += openingAtATime) {
      const opening = agents.slice(first, first + openingAtATime);
      await Promise.all(
        opening.map((agent) => send(url, authority, '', { agent, path: '/', method: 'GET' })),
      );
    }
  }
  const end = Date.now() + seconds * 1000;
  const failures = new Map<string, number>();
  const fail = (what: string): void => void failures.set(what, (failures.get(what) ?? 0) + 1);
  let answers = 0;
  let unjudged = 0;
  let slowest = 0;

  async function client(agent: Agent, index: number): Promise<void> {
    for (let sent = index; Date.now() < end; sent++) {
      const body = reviews[sent % reviews.length] ?? '';
      const start = performance.now();
      const path = `/validate?timeout=${timeoutSeconds}s`;
      const signal = AbortSignal.timeout(timeoutSeconds * 1000);
      try {
        const { status, text } = await send(url, authority, body, { agent, path, signal });
        if (status !== 200) fail(`status ${status}`);
        if (text.includes('unjudged')) unjudged++;
        answers++;
      } catch (error) {
        fail(signal.aborted ? `nothing within ${timeoutSeconds} s` : String(error));
      }
      slowest = Math.max(slowest, (performance.now() - start) / 1000);
    }
  }

  await Promise.all(agents.map(client));
  for (const agent of agents) agent.destroy();
  return { answers, unjudged, failures, slowestSeconds: slowest };
}
