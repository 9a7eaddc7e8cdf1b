/**
 * How long does the gate's event loop stand still while Subscriptions are reviewed that make it resolve
 * their namespace, and how long does such a review take? On catalogs of 300 packages and of 1,500, of 20
 * bundles each, with layered and with dense dependencies; for each, Subscriptions that OLM resolves and
 * ones that stop their namespace, one review at a time.
 *
 * Run with `npm run build && npx tsx bench/subscriptions.ts`. Exits 1 when an aim is missed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NamespaceState } from '../src/olm/resolver/namespace.js';
import { send } from '../test/server/gate.js';
import { startGateProcess, type GateProcess } from './gate-process.js';
import { denseNamespace, layeredNamespace } from './resolve-namespaces.js';

const longestPauseAim = 50;
const warming = 5;
const reviews = 20;

const cases: readonly { readonly name: string; readonly state: () => NamespaceState }[] = [
  { name: 'layered-300x20', state: () => layeredNamespace(300, 20) },
  { name: 'layered-1500x20', state: () => layeredNamespace(1500, 20) },
  { name: 'dense-300x20', state: () => denseNamespace(300, 20, 1) },
];

/** Needs a package that no catalog has. */
const stuck = {
  name: 'stuck',
  defaultChannel: 'stable',
  channels: [{ name: 'stable', entries: [{ name: 'stuck.v1.0.0' }] }],
  bundles: [
    {
      name: 'stuck.v1.0.0',
      properties: [
        { type: 'olm.package', value: { packageName: 'stuck', version: '1.0.0' } },
        {
          type: 'olm.package.required',
          value: { packageName: 'missing', versionRange: '>=1.0.0' },
        },
      ],
    },
  ],
};

/** As a file-based catalog, and one package that is stuck. */
function catalogText({ catalogs }: NamespaceState): string {
  return [...(catalogs ?? []).flatMap(({ packages }) => packages ?? []), stuck]
    .flatMap(({ name, defaultChannel, channels, bundles }) => [
      { schema: 'olm.package', name, defaultChannel },
      ...(channels ?? []).map((channel) => ({
        ...{ schema: 'olm.channel', package: name },
        ...channel,
      })),
      ...(bundles ?? []).map((bundle) => ({
        ...{ schema: 'olm.bundle', package: name, name: bundle.name },
        ...{ image: `registry.example.com/${bundle.name}`, properties: bundle.properties },
      })),
    ])
    .map((object) => JSON.stringify(object))
    .join('\n');
}

function subscription(name: string): object {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'Subscription',
    metadata: { name, namespace: 'operators' },
    spec: { name, channel: 'stable', source: 'large', sourceNamespace: 'olm' },
  };
}

function clusterText({ subscriptions }: NamespaceState): string {
  const group = {
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata: { name: 'all', namespace: 'operators' },
  };
  const source = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'CatalogSource',
    metadata: { name: 'large', namespace: 'olm' },
    spec: { sourceType: 'grpc', image: 'registry.example.com/large' },
    status: { connectionState: { lastObservedState: 'READY' } },
  };
  // One is missing: the reviews are about it.
  const others = (subscriptions ?? []).slice(1).map(({ name }) => subscription(name));
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [group, source, ...others] });
}

function review(name: string): Buffer {
  const object = subscription(name);
  const version = { group: 'operators.coreos.com', version: 'v1alpha1' };
  const request = {
    ...{ uid: '1', operation: 'CREATE', name, namespace: 'operators' },
    ...{ kind: { ...version, kind: 'Subscription' }, object, oldObject: null },
    resource: { ...version, resource: 'subscriptions' },
  };
  const envelope = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  return Buffer.from(JSON.stringify(envelope));
}

/**
 * Milliseconds, the longest since this was last asked: prom-client starts anew with each answer. The
 * 10 ms of the timer that measures are in it.
 */
async function longestPause(gate: GateProcess): Promise<number> {
  const text = await (await fetch(`${gate.metricsUrl}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
}

let missed = 0;
for (const { name, state: make } of cases) {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-subscriptions-'));
  const state = make();
  const [cluster, catalog] = [join(folder, 'cluster.json'), join(folder, 'catalog.json')];
  writeFileSync(cluster, clusterText(state));
  writeFileSync(catalog, catalogText(state));
  const gate = await startGateProcess([
    ...['--state', cluster, '--global-catalog-namespace', 'olm', '--catalog', `large=${catalog}`],
  ]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const asked = { resolves: review('operator-0'), stops: review('stuck') };
    await longestPause(gate);
    await sleep(1000);
    const idle = await longestPause(gate);
    console.log(
      `${name}: ready after ${(gate.millisecondsToReady / 1000).toFixed(2)} s, ` +
        `longest pause while idle ${idle.toFixed(1)} ms`,
    );
    for (const [what, body] of Object.entries(asked)) {
      const times: number[] = [];
      let most = 0;
      for (let n = 0; n < warming + reviews; n++) {
        if (n === warming) {
          await sleep(200);
          await longestPause(gate);
        }
        const busy = gate.loopMilliseconds();
        const start = performance.now();
        const answer = await send(gate.url, gate.authority, body, { agent });
        if (n >= warming) {
          times.push(performance.now() - start);
          most = Math.max(most, (gate.loopMilliseconds() ?? NaN) - (busy ?? NaN));
        }
        if (answer.status !== 200) throw new Error(`HTTP ${answer.status}: ${answer.text}`);
        const isStopped = answer.text.includes('ResolutionConflict');
        if (isStopped !== (what === 'stops')) throw new Error(`${what}: ${answer.text}`);
        await sleep(20);
      }
      const pause = await longestPause(gate);
      const median = times.sort((a, b) => a - b)[Math.floor(reviews / 2)] ?? 0;
      // Machines are shared: what the loop did itself counts, not how long it waited for a processor.
      const held = Number.isNaN(most) ? pause : most;
      if (held > longestPauseAim) missed++;
      console.log(
        `  ${what}: a review holds the loop for ${held.toFixed(1)} of ${longestPauseAim} ms at most ` +
          `(ratio ${(held / longestPauseAim).toFixed(2)}); longest pause by the clock ` +
          `${pause.toFixed(1)} ms, median review ${median.toFixed(1)} ms`,
      );
    }
    const peak = gate.peakBytes();
    if (peak !== undefined) console.log(`  peak memory ${(peak / 1e6).toFixed(0)} MB`);
  } finally {
    agent.destroy();
    await gate.stop();
    rmSync(folder, { recursive: true });
  }
}
process.exitCode = missed === 0 ? 0 : 1;
