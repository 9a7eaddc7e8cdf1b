/** Two gates behind one address and clients that write all the time, while one fault after the other is made. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readPolicy } from '../../../src/app/server/policy-file.js';
import { ruleNames } from '../../../src/app/operations/rules.js';
import type { TestCluster } from '../../apiserver/cluster.js';
import { startGate, type TestGate } from '../../apiserver/gate.js';
import { until } from '../../apiserver/processes.js';
import { send } from '../../server/gate.js';
import { reviewText, withSize } from '../../server/reviews.js';
import { startBalancer, type Balancer } from '../balancer.js';
import {
  kubeconfigOf,
  kubectl,
  leadWebhooksTo,
  root,
  serviceAccount,
  untilAnswered,
  webhooksOf,
} from '../installed-gate.js';
import { createNamespace, installOlm } from '../olm-definitions.js';
import { makeClient, prepare } from './clients.js';
import { startLoad, type Load, type Tally } from './load.js';

export interface SoakOptions {
  readonly clients: number;
  /** How long each fault is held, and the time without one before and after. */
  readonly secondsEach: number;
  /** Of a client between two writes, on average. */
  readonly pauseMilliseconds: number;
  readonly stoppedStoreSeconds: number;
  /** How long a gate that is told to stop still answers; 10 in the manifests. */
  readonly shutdownDelaySeconds: number;
  /** Makes the faults with these words in their names only. */
  readonly only?: string;
  /** Called when a fault is over. */
  readonly onPhase?: (phase: Phase) => void;
}

export interface Phase extends Tally {
  readonly fault: string;
  /** From the end of the fault until clients of every kind got two verdicts again, and a second more without a refusal. */
  readonly recoverySeconds: number;
  /** What else was seen, for example that the fault took effect. */
  readonly seen: string;
  /** Resident bytes of each gate at the end. */
  readonly residentBytes: readonly number[];
  /** How many writes the API server let pass because no gate answered, by its own count. */
  readonly failedOpen: number;
}

const binding = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const secretPath = '/api/v1/namespaces/olm-guard/secrets/olm-guard-tls';
const day = 86_400_000;

/** How many times `secondsEach` a soak takes, or a little more. */
export const faultCount = 12;

/** Users that the cluster must know. */
export const soakUsers = [{ name: serviceAccount }];

/** A denial that is logged in two lines of a hundred kilobytes. */
const talkative = reviewText({
  name: 'n'.repeat(100_000),
  oldObject: withSize({ type: 'integer' }),
  object: withSize(undefined),
});

interface Fault {
  readonly name: string;
  /** Makes it, holds it, and takes it back; says what was seen. */
  readonly make: () => Promise<string>;
}

/** @throws Error where the gates do not come back after a fault */
export async function soak(cluster: TestCluster, options: SoakOptions): Promise<Phase[]> {
  const { secondsEach, onPhase = () => undefined } = options;
  const file = (name: string): string => join(cluster.folder, name);
  const shippedPolicy = join(root, 'manifests', 'components', 'enforcing', 'policy.yaml');
  const policy = await readPolicy({ file: shippedPolicy }, ruleNames);
  const gates = new Map<TestGate, { ready: boolean }>();
  const hold = (seconds = secondsEach): Promise<void> => sleep(seconds * 1000);

  async function secret(): Promise<Record<string, string>> {
    const { body } = await cluster.request('GET', secretPath);
    return (body as unknown as { data?: Record<string, string> }).data ?? {};
  }

  /** How many authorities every webhook trusts, at least. */
  async function trusted(): Promise<number> {
    const webhooks = await webhooksOf(cluster);
    const counts = webhooks.map(({ clientConfig: { caBundle = '' } }) => {
      const text = Buffer.from(caBundle, 'base64').toString();
      return text.split('BEGIN CERTIFICATE').length - 1;
    });
    return Math.min(...counts);
  }

  async function addGate(): Promise<TestGate> {
    const clock = pathToFileURL(join(root, 'test', 'apiserver', 'shifted-clock.mjs')).href;
    const gate = await startGate(
      cluster.folder,
      [
        '--tls-secret=olm-guard-tls',
        ...[`--policy=${shippedPolicy}`, `--policy-overrides=${file('overrides.yaml')}`],
        ...[`--kubeconfig=${kubeconfigOf(cluster, serviceAccount)}`],
        ...[`--shutdown-delay=${options.shutdownDelaySeconds}`, '--shutdown-grace=30'],
      ],
      {
        ...process.env,
        // As the Deployment sets it.
        NODE_OPTIONS: `--max-old-space-size=256 --max-semi-space-size=8 --import=${clock}`,
        SHIFTED_CLOCK_FILE: file('clock'),
      },
    );
    gates.set(gate, { ready: true });
    return gate;
  }

  async function metric(pattern: RegExp): Promise<number> {
    let sum = 0;
    for (const gate of gates.keys()) {
      for (const [, value] of (await gate.metrics()).matchAll(pattern)) sum += Number(value);
    }
    return sum;
  }

  /** Looks at readiness as a kubelet does, and takes who is not ready out of the endpoints. */
  const probing = setInterval(() => {
    for (const [gate, state] of gates) {
      void fetch(`${gate.metricsUrl}/readyz`).then(
        ({ status }) => (state.ready = status === 200),
        () => (state.ready = false),
      );
    }
  }, 100);

  const replaceEach = async (end: 'stop' | 'kill'): Promise<void> => {
    for (const old of [...gates.keys()]) {
      if (end === 'stop') await addGate();
      await hold(secondsEach / 2);
      await old[end]();
      gates.delete(old);
      if (end === 'kill') {
        await addGate();
        return;
      }
    }
  };

  async function rights(verb: 'DELETE' | 'POST', kept: object[]): Promise<void> {
    for (const each of kept as { metadata: { name: string } }[]) {
      const path = verb === 'POST' ? binding : `${binding}/${each.metadata.name}`;
      await cluster.request(verb, path, verb === 'POST' ? each : undefined);
    }
  }

  async function bindingsOfTheGate(): Promise<object[]> {
    const { body } = await cluster.request('GET', binding);
    const items = (body.items ?? []) as { metadata: { name: string }; roleRef: object }[];
    return items
      .filter(({ metadata }) => metadata.name.startsWith('olm-guard'))
      .map(({ metadata, ...each }) => ({
        ...each,
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        metadata: { name: metadata.name },
      }));
  }

  const faults: Fault[] = [
    {
      name: 'none',
      make: async () => {
        await hold();
        return '';
      },
    },
    {
      name: 'rolling restart',
      make: async () => {
        await replaceEach('stop');
        return 'both gates replaced, one after the other';
      },
    },
    {
      name: 'kill -9 of one gate',
      make: async () => {
        await replaceEach('kill');
        await hold(secondsEach / 2);
        return 'replaced by another';
      },
    },
    {
      name: 'certificate rotation',
      make: async () => {
        const { 'ca.crt': old } = await secret();
        // What an admin does who does not trust the key any more: docs/operations.md.
        const value = '[{"op":"remove","path":"/data/ca.key"}]';
        const contentType = 'application/json-patch+json';
        const patched = await cluster.request('PATCH', secretPath, value, { contentType });
        if (patched.code !== 200) throw new Error(patched.text);
        await until('both authorities to be trusted', async () =>
          (await trusted()) > 1 ? true : undefined,
        );
        await until(
          'the new authority to be used',
          async () => {
            const { 'ca.crt': now, 'next-ca.crt': next } = await secret();
            return now !== old && next === undefined ? true : undefined;
          },
          { timeoutMs: 120_000 },
        );
        await hold(secondsEach / 2);
        return 'new authority in the Secret, made, trusted and used by the gates';
      },
    },
    {
      name: 'policy replaced by rubbish',
      make: async () => {
        writeFileSync(file('overrides.yaml'), 'modes: {crd-upgrade-safety: audit\n');
        const refused = /^olm_guard_policy_reloads_total\{outcome="failure"\} (\d+)$/gm;
        await until('every gate to refuse it', async () =>
          (await metric(refused)) >= gates.size ? true : undefined,
        );
        await hold();
        rmSync(file('overrides.yaml'));
        return 'refused by each gate, counted and logged';
      },
    },
    {
      name: 'clock jump',
      make: async () => {
        for (const ahead of [400 * day, -400 * day]) {
          writeFileSync(file('clock'), String(ahead));
          await hold(secondsEach / 2);
        }
        writeFileSync(file('clock'), '0');
        return '400 days ahead, then 400 days back (the gates’ wall clock)';
      },
    },
    {
      name: 'API server restart',
      make: async () => {
        await cluster.restart();
        await hold(secondsEach / 2);
        return 'kill -9 and started again';
      },
    },
    {
      name: 'etcd stopped',
      make: async () => {
        cluster.signalEtcd('SIGSTOP');
        await hold(options.stoppedStoreSeconds);
        cluster.signalEtcd('SIGCONT');
        return `SIGSTOP for ${options.stoppedStoreSeconds} s`;
      },
    },
    {
      name: 'watch 410 (compaction)',
      make: async () => {
        await cluster.kill();
        await compact(cluster.etcdUrl);
        await cluster.restart();
        const lists = await until('every gate to list again', async () => {
          const { text } = await cluster.request('GET', '/metrics');
          const count = listsOf(text, 'clusterserviceversions');
          return count >= gates.size ? count : undefined;
        });
        await hold(secondsEach / 2);
        return `history gone, ${lists} lists anew`;
      },
    },
    {
      name: 'rights taken away',
      make: async () => {
        const kept = await bindingsOfTheGate();
        await rights('DELETE', kept);
        // An open watch outlives the right; the next one does not.
        await cluster.restart();
        await hold();
        const forbidden = [...gates.keys()].filter((gate) =>
          gate.logs().some((line) => line['state'] === 'forbidden'),
        );
        await rights('POST', kept);
        return `given back; ${forbidden.length || 'neither'} of the gates said so in its log`;
      },
    },
    {
      name: 'log pipe full',
      make: async () => {
        const dropped = /^olm_guard_log_lines_dropped_total (\d+)$/gm;
        const { 'ca.crt': authority = '' } = await secret();
        const ca = Buffer.from(authority, 'base64').toString();
        for (const gate of gates.keys()) {
          gate.leaveLogUnread();
          for (let sent = 0; sent < 12; sent++) await send(gate.url, ca, talkative, {});
        }
        await hold();
        return `nobody reads, ${await metric(dropped)} lines dropped`;
      },
    },
    {
      name: 'none, at the end',
      make: async () => {
        await hold();
        return '';
      },
    },
  ];

  let balancer: Balancer | undefined;
  let load: Load | undefined;
  const phases: Phase[] = [];
  try {
    await installOlm(cluster);
    const clients = Array.from({ length: options.clients }, (_each, index) => makeClient(index));
    await createNamespace(cluster, 'elsewhere');
    for (const each of clients) await prepare(cluster, each);
    await kubectl(cluster, 'apply', '-k', 'manifests/base');
    await kubectl(cluster, 'apply', '-f', 'manifests/components/self-managed/rbac.yaml');
    await letReadObjects(cluster);
    await Promise.all([addGate(), addGate()]);
    await until('every webhook to have an authority', async () =>
      (await trusted()) > 0 ? true : undefined,
    );
    await kubectl(cluster, 'apply', '-k', 'manifests/overlays/enforcing');
    balancer = await startBalancer(() =>
      [...gates].filter(([, { ready }]) => ready).map(([gate]) => Number(new URL(gate.url).port)),
    );
    await leadWebhooksTo(cluster, `https://127.0.0.1:${balancer.port}`);
    await untilAnswered(cluster, 403);
    load = startLoad(cluster, clients, policy, options.pauseMilliseconds);
    await load.judged(1);
    load.take();
    for (const { name, make } of faults) {
      if (!name.includes(options.only ?? '')) continue;
      const before = await failOpenCount(cluster);
      const seen = await make();
      const over = performance.now();
      await load.judged(2);
      const recoverySeconds = (performance.now() - over) / 1000;
      const after = await failOpenCount(cluster);
      const phase: Phase = {
        ...load.take(),
        ...{ fault: name, seen, recoverySeconds },
        // A new API server counts from zero.
        failedOpen: after < before ? after : after - before,
        residentBytes: [...gates.keys()].map(({ pid }) => residentBytes(pid)),
      };
      phases.push(phase);
      onPhase(phase);
    }
  } finally {
    clearInterval(probing);
    await load?.stop();
    await Promise.all([...gates.keys()].map((gate) => gate.stop()));
    await balancer?.close();
  }
  return phases;
}

/** There is no controller that would add it to the aggregated role. */
async function letReadObjects(cluster: TestCluster): Promise<void> {
  await kubectl(
    cluster,
    ...['create', 'clusterrole', 'soak-objects', '--verb=get,list', '--resource=*.example.com'],
  );
  const user = `--user=${serviceAccount}`;
  await kubectl(
    cluster,
    ...['create', 'clusterrolebinding', 'olm-guard-soak', '--clusterrole=soak-objects', user],
  );
}

/** Takes everything older than now out of etcd's history. */
async function compact(etcdUrl: string): Promise<void> {
  const ask = async (path: string, body: object): Promise<{ header?: { revision?: string } }> => {
    const answer = await fetch(`${etcdUrl}${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd ${path}: ${await answer.text()}`);
    return (await answer.json()) as { header?: { revision?: string } };
  };
  const { header } = await ask('/v3/kv/range', { key: Buffer.from('/').toString('base64') });
  await ask('/v3/kv/compaction', { revision: header?.revision, physical: true });
}

/** Lists of a resource that an API server has answered since it was started. */
function listsOf(metrics: string, resource: string): number {
  return metrics
    .split('\n')
    .filter(
      (line) =>
        line.startsWith('apiserver_request_total{') &&
        line.includes(`resource="${resource}"`) &&
        line.includes('verb="LIST"') &&
        line.includes('code="200"'),
    )
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

async function failOpenCount(cluster: TestCluster): Promise<number> {
  const { text } = await cluster.request('GET', '/metrics');
  return [...text.matchAll(/^apiserver_admission_webhook_fail_open_count\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
