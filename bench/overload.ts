/**
 * Twenty times `concurrentReviews` clients for half a minute: every answer must come within the
 * API server's timeout, and memory must stay within its bound. The reviews are real ones of all
 * sizes, the gate is started as the manifests do, and its callers show an API server's certificate.
 * One process plays all clients: on a machine with few cores the time it needs to send counts as time
 * to answer.
 *
 * Run with `npm run build && npx tsx bench/overload.ts [SECONDS]`. Exits 1 when an aim is missed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authority } from '../test/server/client-certificates.js';
import { shippedNode, startGateProcess } from './gate-process.js';
import { mixedReviews } from './large-reviews.js';
import { keep } from './measure.js';
import { loadWithClients } from './many-clients.js';

const clients = 20 * 64;
const seconds = Number(process.argv[2] ?? 30);
const aims = { timeoutSeconds: 10, peakMegabytes: 350 };

const folder = mkdtempSync(join(tmpdir(), 'olm-guard-overload-'));
const callers = await authority('callers');
const authorityFile = join(folder, 'callers.crt');
writeFileSync(authorityFile, callers.pem);
const gate = await startGateProcess([`--client-ca-file=${authorityFile}`], { node: shippedNode });
const { answers, unjudged, failures, slowestSeconds } = await loadWithClients(gate, {
  clients,
  lasts: { seconds },
  timeoutSeconds: aims.timeoutSeconds,
  reviews: mixedReviews().map(({ body }) => body),
  // All at once from one process would measure its handshakes.
  openingAtATime: 64,
  certificate: await callers.issue('kube-apiserver'),
});
const peak = (gate.peakBytes() ?? 0) / 1e6;
const text = await (await fetch(`${gate.metricsUrl}/metrics`)).text();
const overload = /^olm_guard_overload_total (\S+)$/m.exec(text)?.[1];
const processor = await gate.processorSeconds();
await gate.stop();
rmSync(folder, { recursive: true });

console.log(
  `${answers} answers to ${clients} clients in ${seconds} s, ${unjudged} of them by policy (${overload} for overload), failures: ${JSON.stringify([...failures])}`,
);
const { user, system } = process.cpuUsage();
console.log(
  `processor time: gate ${processor.toFixed(1)} s, clients ${((user + system) / 1e6).toFixed(1)} s`,
);
const isMet =
  failures.size === 0 && slowestSeconds <= aims.timeoutSeconds && peak <= aims.peakMegabytes;
console.log(
  `slowest answer ${slowestSeconds.toFixed(1)} s (aim ${aims.timeoutSeconds} s), peak memory ${peak.toFixed(0)} MB (aim ${aims.peakMegabytes} MB)`,
);
keep({
  what: 'overload: failures',
  value: [...failures.values()].reduce((sum, count) => sum + count, 0),
  unit: '',
  limit: 0,
});
keep({
  what: 'overload: slowest answer',
  value: slowestSeconds,
  unit: ' s',
  limit: aims.timeoutSeconds,
});
keep({ what: 'overload: peak memory', value: peak, unit: ' MB', limit: aims.peakMegabytes });
process.exitCode = isMet ? 0 : 1;
