/**
 * What a review of an OperatorGroup costs over HTTPS, against how many groups there are that share
 * no namespace with it: for each group two ClusterServiceVersions of 20 KB and five namespaces. With
 * 1,000 groups also the time to ready and the memory of the gate, without and with 6,000 copies of
 * ClusterServiceVersions.
 *
 * Run with `npm run build && npx tsx bench/groups.ts`. Exits 1 when an aim is missed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from '../test/server/gate.js';
import { startGateProcess } from './gate-process.js';

const aims = { p99Milliseconds: 5, readySeconds: 10, peakMegabytes: 500 };
const aimedGroups = 1_000;
const reviews = 1_000;

interface Size {
  readonly groups: number;
  /** Of ClusterServiceVersions, per group. */
  readonly copies: number;
}

const sizes: readonly Size[] = [
  { groups: 10, copies: 0 },
  { groups: 100, copies: 0 },
  { groups: 1_000, copies: 0 },
  { groups: 1_000, copies: 6 },
  { groups: 10_000, copies: 0 },
];

function group(index: number, target: string): object {
  return {
    apiVersion: 'operators.coreos.com/v1',
    kind: 'OperatorGroup',
    metadata: {
      name: 'group',
      namespace: `tenant-${index}`,
      annotations: { 'olm.providedAPIs': 'A.v1.pets,B.v1.pets' },
    },
    spec: { targetNamespaces: [target] },
    status: { namespaces: [target] },
  };
}

function tenant(index: number, copies: number): object[] {
  const namespace = `tenant-${index}`;
  const csv = (name: string, copy?: number): object => ({
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata:
      copy === undefined
        ? { name: `${name}.v1`, namespace }
        : {
            name: `${name}.v1`,
            namespace: `${namespace}-${copy}`,
            labels: { 'olm.copiedFrom': namespace },
          },
    spec: {
      description: 'x'.repeat(20_000),
      installModes: ['SingleNamespace', 'MultiNamespace'].map((type) => ({
        type,
        supported: true,
      })),
      customresourcedefinitions: {
        owned: [{ name: `${name}s.pets`, version: 'v1', kind: name.toUpperCase() }],
      },
    },
    status: { phase: 'Succeeded' },
  });
  const namespaces = [namespace, ...[1, 2, 3, 4].map((n) => `${namespace}-${n}`)];
  return [
    ...namespaces.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    group(index, `${namespace}-1`),
    csv('a'),
    csv('b'),
    ...Array.from({ length: copies }, (_, n) => csv(n % 2 === 0 ? 'a' : 'b', 1 + (n >> 1))),
  ];
}

/** One file per hundred tenants, as an export by namespace would be. */
function writeState(folder: string, { groups, copies }: Size): void {
  for (let from = 0; from < groups; from += 100) {
    const items = Array.from({ length: Math.min(100, groups - from) }, (_, n) =>
      tenant(from + n, copies),
    );
    const list = { apiVersion: 'v1', kind: 'List', items: items.flat() };
    writeFileSync(join(folder, `tenants-${from}.json`), JSON.stringify(list));
  }
}

function reviewOf(index: number): Buffer {
  const old = group(index, `tenant-${index}-1`);
  return Buffer.from(
    JSON.stringify({
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: {
        uid: '1',
        kind: { group: 'operators.coreos.com', version: 'v1', kind: 'OperatorGroup' },
        resource: { group: 'operators.coreos.com', version: 'v1', resource: 'operatorgroups' },
        name: 'group',
        namespace: `tenant-${index}`,
        operation: 'UPDATE',
        object: group(index, `tenant-${index}-2`),
        oldObject: old,
      },
    }),
  );
}

let missed = 0;
function report(what: string, value: number, aim: number, unit: string): void {
  if (value > aim) missed++;
  const verdict = value <= aim ? 'within' : 'MISSES';
  console.log(`  ${what.padEnd(32)} ${value.toFixed(2)} ${unit}  ${verdict} ${aim} ${unit}`);
}

let least = Infinity;
for (const size of sizes) {
  const { groups, copies } = size;
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-groups-'));
  writeState(folder, size);
  const gate = await startGateProcess(['--state', folder]);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const times: number[] = [];
    let processor = 0;
    for (let n = 0; n < 2 * reviews; n++) {
      if (n === reviews) processor = await gate.processorSeconds();
      const body = reviewOf((n * 7) % groups);
      const start = performance.now();
      const { status } = await send(gate.url, gate.authority, body, { agent });
      // The first reviews of a process are compiled while they run.
      if (n >= reviews) times.push(performance.now() - start);
      if (status !== 200) throw new Error(`HTTP ${status}`);
    }
    const spent = ((await gate.processorSeconds()) - processor) * 1000;
    times.sort((a, b) => a - b);
    const p50 = times[Math.floor(reviews * 0.5)] ?? 0;
    const p99 = times[Math.floor(reviews * 0.99)] ?? 0;
    least = Math.min(least, p50);
    const ratio = (p50 / least).toFixed(2);
    const named = copies === 0 ? `${groups} groups` : `${groups} groups, ${groups * copies} copies`;
    console.log(`${named}: p50 ${p50.toFixed(2)} ms (${ratio} × the smallest)`);
    report('p99 of a review over HTTPS', p99, aims.p99Milliseconds, 'ms');
    console.log(`  processor time of a review       ${(spent / reviews).toFixed(2)} ms`);
    if (groups === aimedGroups) {
      report('start to ready', gate.millisecondsToReady / 1000, aims.readySeconds, 's');
      const peak = gate.peakBytes();
      if (peak !== undefined) report('peak memory', peak / 1e6, aims.peakMegabytes, 'MB');
    } else console.log(`  ready after ${(gate.millisecondsToReady / 1000).toFixed(1)} s`);
  } finally {
    agent.destroy();
    await gate.stop();
    rmSync(folder, { recursive: true });
  }
}
process.exitCode = missed === 0 ? 0 : 1;
