/**
 * Measures an API server's reviews while 1,280 unauthenticated clients send theirs and four other
 * processes keep the same cores busy: `npm run build && npx tsx bench/unauthenticated-clients.ts [SECONDS]`.
 * Half of what the clients send is small and takes the proof longer than it may; the rest are updates of
 * all sizes. They run in a process of their own, so that their work does not count as the API server's
 * time. Nothing is timed before all of them are connected. Exits 1 when the limit is missed.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authority } from '../test/server/client-certificates.js';
import { send } from '../test/server/gate.js';
import { shippedNode, startGateProcess, type GateProcess } from './gate-process.js';
import { attempt, hardReviews, mixedReviews, smallReviews } from './large-reviews.js';
import { loadWithClients, type LoadResult } from './many-clients.js';
import { keep, tell } from './measure.js';

const clients = 20 * 64;
const busyProcesses = 4;
const timeoutSeconds = 10;
const pauseMilliseconds = 50;
const aims = { p99Seconds: 1.5 };

interface Place {
  readonly url: string;
  readonly authority: string;
  readonly seconds: number;
}

/** What the process of the clients says: once that all are connected, and in the end what they were answered. */
type Message = 'connected' | (Omit<LoadResult, 'failures'> & { readonly failures: object });

async function playClients({ url, authority, seconds }: Place): Promise<void> {
  const never = new Promise<number>(() => undefined);
  const hard = hardReviews();
  const reviews = mixedReviews().flatMap((mixed, index) => [mixed, hard[index % hard.length]]);
  const result = await loadWithClients(
    { url, authority, ended: never, lastWords: () => '' },
    {
      ...{ clients, lasts: { seconds }, timeoutSeconds, openingAtATime: 64 },
      reviews: reviews.flatMap((review) => review?.body ?? []),
      onOpen: () => process.send?.('connected' satisfies Message),
    },
  );
  const failures = Object.fromEntries(result.failures);
  process.send?.({ ...result, failures } satisfies Message);
  process.disconnect();
}

async function messageOf(playing: ChildProcess): Promise<Message> {
  const [message] = (await once(playing, 'message')) as [Message];
  return message;
}

interface Times {
  readonly firstSeconds: number;
  /** Of all others, sorted. */
  readonly seconds: readonly number[];
  /** Answered by policy. */
  readonly unjudged: number;
}

/** Sends one small review after the other, as an API server does while operators are updated. */
async function measureApiServer(gate: GateProcess, agent: Agent, until: number): Promise<Times> {
  const reviews = smallReviews();
  const path = `/validate?timeout=${timeoutSeconds}s`;
  const times: number[] = [];
  let unjudged = 0;
  for (let sent = 0; Date.now() < until; sent++) {
    const review = reviews[sent % reviews.length];
    if (review === undefined) break;
    const start = performance.now();
    const body = attempt(review.body, sent);
    const { status, text } = await send(gate.url, gate.authority, body, { agent, path });
    times.push((performance.now() - start) / 1000);
    if (status !== 200) throw new Error(`${review.name}: HTTP ${status}`);
    if (text.includes('unjudged')) unjudged++;
    await new Promise((resolve) => setTimeout(resolve, pauseMilliseconds));
  }
  const [firstSeconds = Infinity, ...rest] = times;
  return { firstSeconds, seconds: rest.sort((left, right) => left - right), unjudged };
}

async function measure(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-clients-'));
  const callers = await authority('callers');
  const authorityFile = join(folder, 'callers.crt');
  writeFileSync(authorityFile, callers.pem);
  const gate = await startGateProcess([`--client-ca-file=${authorityFile}`], { node: shippedNode });
  const busy = Array.from({ length: busyProcesses }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  const agent = new Agent({
    ...{ keepAlive: true, maxSockets: 1 },
    ...(await callers.issue('kube-apiserver')),
  });
  const playing = fork(import.meta.filename, ['play']);
  try {
    const connected = messageOf(playing);
    playing.send({ url: gate.url, authority: gate.authority, seconds } satisfies Place);
    await connected;
    const ended = messageOf(playing);
    const times = await measureApiServer(gate, agent, Date.now() + seconds * 1000);
    const at = (share: number): number =>
      times.seconds[Math.floor(times.seconds.length * share)] ?? Infinity;
    const load = await ended;
    const [first, p50, p90, slowest] = [times.firstSeconds, at(0.5), at(0.9), times.seconds.at(-1)];
    console.log(
      `API server: the first review ${first.toFixed(3)} s, then ${times.seconds.length}: p50 ${p50.toFixed(3)} s, p90 ${p90.toFixed(3)} s, slowest ${slowest?.toFixed(3)} s; ${times.unjudged} by policy`,
    );
    if (load !== 'connected') {
      console.log(
        `unauthenticated clients: ${load.answers} answers to ${clients}, ${load.unjudged} by policy, failures: ${JSON.stringify(load.failures)}`,
      );
    }
    const beside = `API server beside ${clients.toLocaleString('en')} unauthenticated clients`;
    tell({ what: `${beside}: p99`, value: at(0.99), unit: ' s', limit: aims.p99Seconds });
    keep({ what: `${beside}: first review`, value: first, unit: ' s' });
    const share = times.unjudged / (times.seconds.length + 1);
    keep({ what: `${beside}: unjudged`, value: share * 100, unit: '%' });
  } finally {
    agent.destroy();
    playing.kill();
    for (const each of busy) each.kill();
    await gate.stop();
    rmSync(folder, { recursive: true });
  }
}

const [asked] = process.argv.slice(2);
if (asked === 'play') {
  const [place] = (await once(process, 'message')) as [Place];
  await playClients(place);
} else await measure(Number(asked ?? 40));
