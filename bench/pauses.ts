/**
 * How long one review of 1.5 MB keeps the gate's event loop from everybody else, by profile:
 * `npm run build && npx tsx bench/pauses.ts`. The longest pause of each review, and of these the
 * median of the better half: whatever else the machine does only adds to them.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../test/server/gate.js';
import { startGateProcess } from './gate-process.js';
import { madeUpReview } from './large-reviews.js';
import { tell } from './measure.js';

const limit = 20;
const rounds = 24;
const megabytes = 1.5;
const profiles = ['olm-v1', 'crdify', 'olm-v1.10', 'proof'];

const folder = mkdtempSync(join(tmpdir(), 'olm-guard-pauses-'));
const told = join(folder, 'pause');
const probe = join(folder, 'probe.mjs');
/** Tells the longest delay since it was asked last. */
writeFileSync(
  probe,
  `import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { writeFileSync } from 'node:fs';
if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  process.on('SIGUSR2', () => {
    writeFileSync(${JSON.stringify(told)}, String(delay.max / 1e6));
    delay.reset();
  });
}
`,
);

async function longestPause(pid: number): Promise<number> {
  const changed = watch(folder);
  process.kill(pid, 'SIGUSR2');
  await once(changed, 'change');
  // Written at once, and seen when it is begun.
  await new Promise((resolve) => setTimeout(resolve, 20));
  changed.close();
  return Number(readFileSync(told, 'utf8'));
}

let fields = 1000;
while (madeUpReview(fields).body.length < megabytes * 1e6) fields += 100;
const { body } = madeUpReview(fields);

try {
  for (const profile of profiles) {
    const policy = join(folder, `${profile}.yaml`);
    writeFileSync(policy, `apiVersion: olm-guard.io/v1alpha1\nkind: Policy\nprofile: ${profile}\n`);
    const gate = await startGateProcess(['--policy', policy], { node: ['--import', probe] });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    try {
      const pauses: number[] = [];
      for (let round = 0; round < rounds; round++) {
        await longestPause(gate.pid);
        const { status } = await send(gate.url, gate.authority, body, { agent });
        if (status !== 200) throw new Error(`HTTP ${status}`);
        pauses.push(await longestPause(gate.pid));
      }
      // The first ones of a process are compiled while they run.
      const sorted = pauses.slice(rounds / 3).sort((left, right) => left - right);
      tell({
        what: `review of ${megabytes} MB by ${profile}: longest pause of the event loop`,
        value: sorted[Math.floor(sorted.length / 4)] ?? NaN,
        ...{ unit: ' ms', limit },
      });
      console.log(`  of ${rounds}: ${pauses.map((each) => each.toFixed(0)).join(' ')}`);
    } finally {
      agent.destroy();
      await gate.stop();
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
