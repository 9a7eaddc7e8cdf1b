/**
 * Measures an API server's reviews while 1,280 unauthenticated clients send theirs and four other
 * processes keep the same cores busy: `npm run build && npx tsx bench/strangers.ts [SECONDS]`. The
 * clients run in a process of their own, so that their work does not count as the API server's time.
 * Exits 1 when the limit is missed.
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authority } from '../test/server/client-certificates.js';
import { send } from '../test/server/gate.js';
import { shippedNode, startGateProcess, type GateProcess } from './gate-process.js';
import { attempt, mixedReviews, smallReviews } from './large-reviews.js';
import { loadWithClients, type LoadResult } from './many-clients.js';
import { keep, tell } from './measure.js';

const clients = 20 * 64;
const busyProcesses = 4;
const timeoutSeconds = 10;
const aims = { p99Seconds: 1 };
/** Longer than opening so many connections takes. */
const settlingMilliseconds = 10_000;

interface Place {
  readonly url: string;
  readonly authority: string;
  readonly seconds: number;
}

/** Runs in the process of the clients. */
async function playClients({ url, authority, seconds }: Place): Promise<void> {
  const never = new Promise<number>(() => undefined);
  const result = await loadWithClients(
    { url, authority, ended: never, lastWords: () => '' },
    {
      ...{ clients, lasts: { seconds }, timeoutSeconds, openingAtATime: 64 },
      reviews: mixedReviews().map(({ body }) => body),
    },
  );
  process.send?.({ ...result, failures: [...result.failures] });
  process.disconnect();
}

/** Sends one small review after the other, as an API server does while operators are updated. */
async function measureApiServer(gate: GateProcess, agent: Agent, until: number): Promise<number[]> {
  const reviews = smallReviews();
  const times: number[] = [];
  for (let sent = 0; Date.now() < until; sent++) {
    const review = reviews[sent % reviews.length];
    if (review === undefined) break;
    const start = performance.now();
    const path = `/validate?timeout=${timeoutSeconds}s`;
    const body = attempt(review.body, sent);
    const { status, text } = await send(gate.url, gate.authority, body, { agent, path });
    times.push((performance.now() - start) / 1000);
    if (status !== 200) throw new Error(`${review.name}: HTTP ${status}`);
    if (text.includes('unjudged')) unjudged++;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return times.sort((left, right) => left - right);
}

let unjudged = 0;

async function measure(seconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-strangers-'));
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
    const told = once(playing, 'message');
    const place: Place = { url: gate.url, authority: gate.authority, seconds };
    playing.send(place);
    await new Promise((resolve) => setTimeout(resolve, settlingMilliseconds));
    const end = Date.now() + seconds * 1000 - settlingMilliseconds;
    const times = await measureApiServer(gate, agent, end);
    const p99 = times[Math.floor(times.length * 0.99)] ?? Infinity;
    const [strangers] = (await told) as [LoadResult];
    console.log(
      `API server: ${times.length} reviews, ${unjudged} of them by policy, p50 ${times[times.length >> 1]?.toFixed(3)} s; strangers: ${strangers.answers} answers to ${clients} clients, failures: ${JSON.stringify(strangers.failures)}`,
    );
    tell({
      ...{ what: 'API server beside 1,280 strangers: p99', value: p99, unit: ' s' },
      limit: aims.p99Seconds,
    });
    const share = unjudged / times.length;
    keep({ what: 'API server beside 1,280 strangers: unjudged', value: share * 100, unit: '%' });
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
