/**
 * How fast are stored objects of a large definition read from a live API server and judged, and for
 * how long does the gate's event loop stand still meanwhile? Starts a kube-apiserver of its own,
 * creates 5,000 objects of 3 KB of a definition of 500 KB in it, lists them alone, runs
 * `olm-guard check crd OLD NEW --objects cluster` and reviews of the same update at a gate until the
 * gate has scanned them all. Prints ratios to the stated limits.
 * Run with `npm run build && npx tsx bench/live-objects.ts`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasGo, missingPrograms } from '../test/apiserver/binaries.js';
import { startCluster, type TestCluster } from '../test/apiserver/cluster.js';
import { until } from '../test/apiserver/processes.js';
import { send } from '../test/apiserver/request.js';
import { startGateProcess, type GateProcess } from './gate-process.js';
import { definition, widget } from './large-definition.js';

const objects = Number(process.argv[2] ?? 5000);
/** Judging may cost what it may from a file, 60 s for 100,000 objects, beside what listing costs. */
const limits = { judgingSeconds: (60 * objects) / 100_000, pause: 50 };
const sections = 720;
const maxAttempts = 20;
const resource = '/apis/example.com/v1/widgets';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const main = join(import.meta.dirname, '..', 'dist', 'main.js');

function print(what: string, measured: string, ratio: number): void {
  console.log(`${what}: ${measured} = ${ratio.toFixed(2)} of the limit`);
}

async function create(cluster: TestCluster, path: string, body: object): Promise<void> {
  const { code, text } = await cluster.request('POST', path, body);
  if (code !== 201) throw new Error(`${path}: ${text}`);
}

async function fill(cluster: TestCluster): Promise<void> {
  await create(cluster, '/api/v1/namespaces', { metadata: { name: 'bench' } });
  await create(cluster, definitions, definition(sections, 0));
  await until('widgets to be served', async () =>
    (await cluster.request('GET', resource)).code === 200 ? true : undefined,
  );
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < objects) {
      await create(cluster, '/apis/example.com/v1/namespaces/bench/widgets', widget(next++));
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** Seconds for reading all objects in pages of about a megabyte, as the product does. */
async function listAlone(cluster: TestCluster): Promise<number> {
  const start = performance.now();
  let [token, listed] = ['', 0];
  do {
    const query = `limit=300&continue=${encodeURIComponent(token)}`;
    const { body } = await cluster.request('GET', `${resource}?${query}`);
    listed += body.items?.length ?? 0;
    const said = body.metadata?.['continue'];
    token = typeof said === 'string' ? said : '';
  } while (token !== '');
  if (listed !== objects) throw new Error(`${listed} objects are stored, not ${objects}`);
  return (performance.now() - start) / 1000;
}

/** Seconds of a command, which must have come to a verdict. */
async function check(args: readonly string[]): Promise<{ seconds: number; stdout: string }> {
  const start = performance.now();
  const child = spawn(process.execPath, [main, 'check', 'crd', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  let stdout = '';
  for await (const chunk of child.stdout) stdout += String(chunk);
  await closed;
  if (child.exitCode !== 0 && child.exitCode !== 1) throw new Error(`check crd: ${stdout}`);
  return { seconds: (performance.now() - start) / 1000, stdout };
}

async function benchCommand(cluster: TestCluster): Promise<void> {
  const [old, next] = [join(cluster.folder, 'old.json'), join(cluster.folder, 'new.json')];
  writeFileSync(old, JSON.stringify(definition(sections, 0)));
  writeFileSync(next, JSON.stringify(definition(sections, 1, 1)));
  const listing = await listAlone(cluster);
  console.log(`listing alone: ${listing.toFixed(1)} s, ${Math.round(objects / listing)} objects/s`);
  const without = await check([old, next]);
  const live = ['--objects', 'cluster', '--kubeconfig', cluster.kubeconfigPath];
  const { seconds, stdout } = await check([old, next, ...live]);
  console.log(refusedIn(stdout) ?? stdout.slice(0, 500));
  const rate = Math.round(objects / seconds);
  const beside = `without objects ${without.seconds.toFixed(1)} s`;
  const limit = listing + limits.judgingSeconds;
  print(
    `check crd --objects cluster (limit: listing alone + ${limits.judgingSeconds} s = ${limit.toFixed(1)} s)`,
    `${seconds.toFixed(1)} s, ${rate} objects/s, ${beside}`,
    seconds / limit,
  );
}

function refusedIn(text: string): string | undefined {
  return /[\d,]+ of [\d,]+ stored Widgets would be refused/.exec(text)?.[0];
}

/** The answer to an update of the definition, as the API server would ask for it. */
async function review(gate: GateProcess, agent: Agent, old: object, next: object): Promise<string> {
  const gvr = { group: 'apiextensions.k8s.io', version: 'v1' };
  const kind = { ...gvr, kind: 'CustomResourceDefinition' };
  const plural = { ...gvr, resource: 'customresourcedefinitions' };
  const request = {
    ...{ uid: 'f5a3ea7c-3ab0-4a0e-8d5b-0f6f3c0f2c11', kind, resource: plural },
    ...{ requestKind: kind, requestResource: plural, name: 'widgets.example.com' },
    ...{ operation: 'UPDATE', userInfo: { username: 'admin' }, object: next, oldObject: old },
  };
  const body = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request };
  const target = { url: gate.url, ca: gate.authority, token: 'none', agent };
  return (await send(target, 'POST', '/validate', body, 'application/json')).text;
}

/**
 * Milliseconds, the longest since this was last asked: prom-client starts anew with each answer. The
 * 10 ms of the timer that measures are in it.
 */
async function longestPause(gate: GateProcess): Promise<number> {
  const text = await (await fetch(`${gate.metricsUrl}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1]) * 1000;
}

async function benchGate(cluster: TestCluster): Promise<void> {
  const gate = await startGateProcess([`--kubeconfig=${cluster.kubeconfigPath}`]);
  const agent = new Agent({ keepAlive: true });
  try {
    // A first review starts the threads, as a gate that runs has done long ago.
    await review(gate, agent, definition(1, 0), definition(2, 0));
    const [old, next] = [definition(sections, 0), definition(sections, 1, 1)];
    const size = Math.round(JSON.stringify(old).length / 1000);
    await sleep(1000);
    await longestPause(gate);
    await sleep(1000);
    const idle = await longestPause(gate);

    let isOver = false;
    let slowest = 0;
    const probing = (async () => {
      while (!isOver) {
        const asked = performance.now();
        await (await fetch(`${gate.metricsUrl}/livez`)).text();
        slowest = Math.max(slowest, performance.now() - asked);
        await sleep(5);
      }
    })();
    const start = performance.now();
    let attempts = 0;
    let [answer, refused]: [string, string | undefined] = ['', undefined];
    try {
      while (refused === undefined && attempts < maxAttempts) {
        attempts++;
        answer = await review(gate, agent, old, next);
        refused = refusedIn(answer);
      }
    } finally {
      isOver = true;
      await probing;
    }
    const seconds = (performance.now() - start) / 1000;
    if (refused === undefined) throw new Error(`not scanned: ${answer.slice(0, 1000)}`);
    const pause = await longestPause(gate);
    console.log(`${refused}, said to attempt ${attempts} after ${seconds.toFixed(1)} s`);
    print(
      `longest pause of the gate's loop, a ${size} KB definition and ${objects} objects scanned (limit: ${limits.pause} ms)`,
      `${pause.toFixed(1)} ms by nodejs_eventloop_lag_max_seconds (idle: ${idle.toFixed(1)} ms; slowest /livez from outside: ${slowest.toFixed(1)} ms)`,
      pause / limits.pause,
    );
  } finally {
    agent.destroy();
    await gate.stop();
  }
}

if (missingPrograms().length > 0 && !hasGo()) {
  console.log('not measured: kube-apiserver and etcd are neither built nor can be (no Go)');
  process.exit(0);
}
const cluster = await startCluster();
try {
  await fill(cluster);
  console.log(`${objects} objects of ${JSON.stringify(widget(1)).length} bytes are stored`);
  await benchCommand(cluster);
  await benchGate(cluster);
} finally {
  await cluster.stop();
}
