/**
 * How long does a migration of 100,000 stored objects take, and how much memory? Puts them into the
 * etcd of a real API server as v1beta1, runs `olm-guard migrate plan`, then `migrate run` at its default
 * pace with writers beside it, kills it with SIGKILL in the middle and starts it again; looks at every
 * object in etcd afterwards; and prints times and memory beside their limits.
 * Run with `npm run build && npx tsx bench/migrate.ts`; a number of objects may follow.
 */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster, type TestCluster } from '../test/apiserver/cluster.js';
import {
  createBeta,
  inEtcd,
  objectsPath,
  storedVersions,
} from '../test/cluster/migrated-widgets.js';
import { tell } from './measure.js';

const count = Number(process.argv[2] ?? 100_000);
const megabytes = { unit: ' MB', limit: 300 };
const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const plural = 'widgets';

const of = `${count.toLocaleString('en-US')} objects`;

interface Ran {
  readonly code: number | null;
  readonly seconds: number;
  readonly megabytes: number;
  readonly stdout: string;
}

/** Under time(1), in a process group of its own. */
function migrate(cluster: TestCluster, ...args: string[]) {
  const start = performance.now();
  const kubeconfig = `--kubeconfig=${cluster.kubeconfigPath}`;
  const words = ['-f', 'kilobytes %M', process.execPath, main, 'migrate', ...args, kubeconfig];
  const child = spawn('/usr/bin/time', words, { detached: true });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    process.stderr.write(chunk);
  });
  const ended = new Promise<Ran>((resolve) =>
    child.on('close', (code) => {
      const megabytes = Number(/kilobytes (\d+)/.exec(stderr)?.[1] ?? Number.NaN) / 1024;
      resolve({ code, seconds: (performance.now() - start) / 1000, megabytes, stdout });
    }),
  );
  return { ended, kill: () => process.kill(-(child.pid ?? 0), 'SIGKILL') };
}

/** As an API server stores them; through it, this alone would take half an hour. */
async function store(cluster: TestCluster): Promise<void> {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const entry = (manager: string, operation: string, fields: object): object => ({
    ...{ manager, operation, apiVersion: 'example.com/v1beta1', time: '2026-01-01T00:00:00Z' },
    ...{ fieldsType: 'FieldsV1', fieldsV1: fields },
  });
  for (let from = 0; from < count; from += 100) {
    const success = Array.from({ length: Math.min(100, count - from) }, (_, index) => {
      const name = `w${from + index}`;
      const object = {
        apiVersion: 'example.com/v1beta1',
        kind: 'Widget',
        metadata: {
          ...{ name, namespace: 'default', uid: randomUUID(), generation: 1 },
          creationTimestamp: '2026-01-01T00:00:00Z',
          labels: { app: 'widgets', part: `p${index}` },
          managedFields: [
            entry('helm', 'Apply', { 'f:spec': { 'f:mode': {}, 'f:pollInterval': {} } }),
            entry('widget-operator', 'Update', { 'f:spec': { 'f:replicas': {} } }),
          ],
        },
        spec: { mode: 'Fast', replicas: 1, pollInterval: 'x'.repeat(500) },
      };
      const key = base64(`/registry/example.com/${plural}/default/${name}`);
      return { request_put: { key, value: base64(`${JSON.stringify(object)}\n`) } };
    });
    const body = JSON.stringify({ success });
    const answer = await fetch(`${cluster.etcdUrl}/v3/kv/txn`, { method: 'POST', body });
    if (!answer.ok) throw new Error(await answer.text());
  }
}

/**
 * An API server reads all objects into its cache when it is first asked for a kind whose definition has
 * changed, and reads lists from etcd until then. Where controllers follow the kind it has done so long before.
 */
async function untilCached(cluster: TestCluster): Promise<void> {
  const fromCache = async (): Promise<number> => {
    const { text } = await cluster.request('GET', '/metrics');
    return Number(
      /^apiserver_cache_list_total\{.*resource="widgets"\} (\S+)$/m.exec(text)?.[1] ?? 0,
    );
  };
  for (let before = await fromCache(); ; await sleep(2000)) {
    await cluster.request('GET', `${objectsPath(plural, 'v1')}?limit=1`);
    const now = await fromCache();
    if (now > before) return;
    before = now;
  }
}

/** Two who write objects of their own; what they wrote last is in the map. */
function startWriters(cluster: TestCluster, written: Map<string, string>) {
  let isOver = false;
  const writer = async (index: number): Promise<void> => {
    for (let round = 0; !isOver; round++) {
      const name = `w${(round * 7919 * 2 + index) % count}`;
      const path = `${objectsPath(plural, 'v1')}/${name}`;
      const { body } = await cluster.request('GET', path);
      const spec = { ...(body['spec'] as object), pollInterval: `${round}s` };
      const { code } = await cluster.request('PUT', path, { ...body, spec });
      if (code === 200) written.set(name, `${round}s`);
      await sleep(100);
    }
  };
  const all = Promise.all([0, 1].map(writer));
  return async (): Promise<void> => {
    isOver = true;
    await all;
  };
}

const cluster = await startCluster();
try {
  await createBeta(cluster, plural, () => store(cluster));
  await untilCached(cluster);
  console.log(`${of} stored as v1beta1`);
  const plan = await migrate(cluster, 'plan', 'widgets.example.com').ended;
  console.log(plan.stdout);
  tell({ what: `migrate plan of ${of}: time`, value: plan.seconds, unit: ' s', limit: 30 });
  tell({ what: `migrate plan of ${of}: memory`, value: plan.megabytes, ...megabytes });

  const written = new Map<string, string>();
  const stopWriters = startWriters(cluster, written);
  const checkpoint = join(cluster.folder, 'checkpoint');
  const args = ['run', 'widgets.example.com', '--checkpoint', checkpoint];
  const begun = performance.now();
  const first = migrate(cluster, ...args);
  const looked = (): number => {
    const text = existsSync(checkpoint) ? readFileSync(checkpoint, 'utf8') : '{}';
    return (JSON.parse(text) as { checkpoint?: { looked: number } }).checkpoint?.looked ?? 0;
  };
  while (looked() < count / 2) await sleep(100);
  first.kill();
  console.log(`killed after ${looked()} objects`);
  const second = await migrate(cluster, ...args).ended;
  const seconds = (performance.now() - begun) / 1000;
  await stopWriters();
  console.log(second.stdout);
  tell({ what: `migrate run of ${of}, killed once: time`, value: seconds, unit: ' s', limit: 600 });
  tell({
    what: `migrate run of ${of}, killed once: memory`,
    value: second.megabytes,
    ...megabytes,
  });

  const stored = await inEtcd(cluster, plural);
  const [old, lost] = [[], []] as [string[], string[]];
  for (const [name, { apiVersion, spec }] of stored) {
    if (apiVersion !== 'example.com/v1') old.push(name);
    if (spec['pollInterval'] !== (written.get(name) ?? 'x'.repeat(500))) lost.push(name);
  }
  console.log(
    `${stored.size} objects in etcd, ${old.length} not in v1, ${lost.length} not as they were written last; ${written.size} were written by others; stored versions ${JSON.stringify(await storedVersions(cluster, plural))}`,
  );
  if (second.code !== 0 || stored.size !== count || old.length + lost.length > 0)
    process.exitCode = 1;
} finally {
  await cluster.stop();
}
