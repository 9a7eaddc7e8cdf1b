/** Many clients at once, as so many API server requests under way: what the gate answers them. */
import { Agent, type AgentOptions } from 'node:https';
import { send } from '../test/server/gate.js';
import { endedEarly, type GateProcess } from './gate-process.js';

export interface Load {
  readonly clients: number;
  /** How long new reviews are sent, or how many by each client. */
  readonly lasts: { readonly seconds: number } | { readonly reviewsEach: number };
  /** What each review says its API server waits. */
  readonly timeoutSeconds: number;
  /** When a client gives up; by default as its API server would. */
  readonly patienceSeconds?: number;
  /** Bodies of reviews, sent one after the other. */
  readonly reviews: readonly (string | Buffer)[];
  /** Those of them that must not pass. */
  readonly breaking?: readonly (string | Buffer)[];
  /** How many clients open their connections at a time before the load begins; all, with it, without. */
  readonly openingAtATime?: number;
  /** Called once every client has its connection; only with `openingAtATime`. */
  readonly onOpen?: () => void;
  /** What the clients show themselves with. */
  readonly certificate?: Pick<AgentOptions, 'cert' | 'key'>;
}

export interface LoadResult {
  readonly answers: number;
  /** Answers by policy, to reviews that were not judged. */
  readonly unjudged: number;
  /** Answers that let something breaking pass, judged or not. */
  readonly passed: number;
  /** What was no answer with status 200 in time, each in a few words with its count. */
  readonly failures: ReadonlyMap<string, number>;
  readonly slowestSeconds: number;
}

/**
 * Each client sends one review after the other over its own connection.
 *
 * @throws Error with the exit code and the last words of a gate that ends meanwhile
 */
export async function loadWithClients(
  {
    url,
    authority,
    ended,
    lastWords,
  }: Pick<GateProcess, 'url' | 'authority' | 'ended' | 'lastWords'>,
  { clients, lasts, timeoutSeconds, patienceSeconds = timeoutSeconds, ...load }: Load,
): Promise<LoadResult> {
  const { reviews, breaking = [], openingAtATime, onOpen, certificate = {} } = load;
  let isGone = false;
  const gone = ended.then((code) => {
    isGone = true;
    throw endedEarly(code, lastWords());
  });
  const agents = Array.from(
    { length: clients },
    () => new Agent({ keepAlive: true, maxSockets: 1, ...certificate }),
  );
  if (openingAtATime !== undefined) {
    for (let first = 0; first < clients; first += openingAtATime) {
      const opening = agents.slice(first, first + openingAtATime);
      const opened = opening.map((agent) =>
        send(url, authority, '', { agent, path: '/', method: 'GET' }),
      );
      await Promise.race([Promise.all(opened), gone]);
    }
    onOpen?.();
  }
  const end = 'seconds' in lasts ? Date.now() + lasts.seconds * 1000 : Infinity;
  const reviewsEach = 'reviewsEach' in lasts ? lasts.reviewsEach : Infinity;
  const failures = new Map<string, number>();
  const fail = (what: string): void => void failures.set(what, (failures.get(what) ?? 0) + 1);
  let answers = 0;
  let unjudged = 0;
  let passed = 0;
  let slowest = 0;

  async function client(agent: Agent, index: number): Promise<void> {
    for (let sent = 0; sent < reviewsEach && Date.now() < end && !isGone; sent++) {
      const body = reviews[(index + sent) % reviews.length] ?? '';
      const start = performance.now();
      const path = `/validate?timeout=${timeoutSeconds}s`;
      const signal = AbortSignal.timeout(patienceSeconds * 1000);
      try {
        const { status, text } = await send(url, authority, body, { agent, path, signal });
        if (status !== 200) fail(`status ${status}`);
        if (text.includes('unjudged')) unjudged++;
        if (breaking.includes(body) && text.includes('"allowed":true')) passed++;
        answers++;
      } catch (error) {
        fail(signal.aborted ? `nothing within ${patienceSeconds} s` : String(error));
      }
      slowest = Math.max(slowest, (performance.now() - start) / 1000);
    }
  }

  try {
    await Promise.race([Promise.all(agents.map(client)), gone]);
  } finally {
    for (const agent of agents) agent.destroy();
  }
  return { answers, unjudged, passed, failures, slowestSeconds: slowest };
}
