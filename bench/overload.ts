/**
 * Twenty times `concurrentReviews` clients for half a minute: every answer must come within the
 * API server's timeout, and memory must stay within its bound. The reviews are real
 * ones of all sizes; one process plays all clients: on a machine with few cores
 * the time it needs to send counts as time to answer.
 *
 * Run with `npm run build && npx tsx bench/overload.ts [SECONDS]`. Exits 1 when an aim is missed.
 */
import { Agent } from 'node:https';
import { send } from '../test/server/gate.js';
import { startGateProcess } from './gate-process.js';
import { mixedReviews } from './large-reviews.js';

const clients = 20 * 64;
const seconds = Number(process.argv[2] ?? 30);
const aims = { timeoutSeconds: 10, peakMegabytes: 400 };

const gate = await startGateProcess(['--log-level', 'error']);
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const reviews = mixedReviews();
const end = Date.now() + seconds * 1000;
let answers = 0;
let failures = 0;
let unjudged = 0;
let slowest = 0;

async function client(index: number): Promise<void> {
  for (let sent = index; Date.now() < end; sent++) {
    const body = reviews[sent % reviews.length]?.body ?? '';
    const start = performance.now();
    try {
      const path = `/validate?timeout=${aims.timeoutSeconds}s`;
      const { status, text } = await send(gate.url, gate.authority, body, { agent, path });
      if (status !== 200) failures++;
      if (text.includes('unjudged')) unjudged++;
      answers++;
    } catch {
      failures++;
    }
    slowest = Math.max(slowest, (performance.now() - start) / 1000);
  }
}

await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
const peak = (gate.peakBytes() ?? 0) / 1e6;
const text = await (await fetch(`${gate.metricsUrl}/metrics`)).text();
const overload = /^olm_guard_overload_total (\S+)$/m.exec(text)?.[1];
const processor = await gate.processorSeconds();
agent.destroy();
await gate.stop();

console.log(
  `${answers} answers to ${clients} clients in ${seconds} s, ${unjudged} of them by policy (${overload} for overload), ${failures} failures`,
);
const { user, system } = process.cpuUsage();
console.log(
  `processor time: gate ${processor.toFixed(1)} s, clients ${((user + system) / 1e6).toFixed(1)} s`,
);
const isMet = failures === 0 && slowest <= aims.timeoutSeconds && peak <= aims.peakMegabytes;
console.log(
  `slowest answer ${slowest.toFixed(1)} s (aim ${aims.timeoutSeconds} s), peak memory ${peak.toFixed(0)} MB (aim ${aims.peakMegabytes} MB)`,
);
process.exitCode = isMet ? 0 : 1;
