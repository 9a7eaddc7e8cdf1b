/**
 * docs/runbook.md followed literally, alert by alert: the gate installed as a user installs it, what each
 * alert names broken, the alert seen with its words, the three commands run, and the alert seen to clear.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { ensurePrograms } from '../apiserver/binaries.js';
import { RunningDeployment, type Pod } from '../apiserver/deployment.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import { startBalancer, type Balancer } from '../cluster/balancer.js';
import {
  kubeconfigOf,
  leadWebhooksTo,
  root,
  serviceAccount,
  untilAnswered,
  webhooksOf,
} from '../cluster/installed-gate.js';
import { Network } from '../cluster/network.js';
import { installOlm } from '../cluster/olm-definitions.js';
import { fastGroups, scrapeJob, targetLabels, type Monitoring } from './operator.js';
import { startPrometheus, type FiringAlert, type TestPrometheus } from './prometheus.js';
import { rounds, type Row, type Walk } from './runbook-rows.js';

/** How many seconds one stands for; API servers are scraped less often. */
const scale = 60;

const sections = new Map(
  readFileSync(join(root, 'docs', 'runbook.md'), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, commands = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
      return [section.split('\n', 1)[0] ?? '', commands.trimEnd().split('\n')] as const;
    }),
);

const helmSet = '--set=monitoring=true';
interface Way {
  readonly how: string;
  readonly install: string;
  /** In place of `kubectl apply -k` in the runbook. */
  readonly reapply?: string;
  readonly walked: readonly (readonly Row[])[];
}

const ways: readonly Way[] = [
  {
    how: 'Helm',
    install: `helm install olm-guard chart --namespace olm-guard --create-namespace ${helmSet}`,
    reapply: 'helm upgrade olm-guard chart --namespace olm-guard --reset-then-reuse-values',
    walked: rounds,
  },
  {
    how: 'kustomize',
    install: ['overlays/default', 'components/monitoring']
      .map((folder) => `kubectl apply -k manifests/${folder}`)
      .join(' && '),
    // The alerts are the same objects (test/chart), so what is the same to do is done once.
    walked: rounds.filter((round) =>
      round.some(({ alert }) => sections.get(alert)?.some((each) => each.includes('manifests/'))),
    ),
  },
];

for (const { how, install, reapply, walked } of ways) {
  describe(`the runbook, of a gate installed with ${how}`, function () {
    this.timeout(600_000);
    const cluster = useCluster({ users: [{ name: serviceAccount }] });
    let prometheus: TestPrometheus;
    let deployment: RunningDeployment;
    let toGates: Balancer;
    let toApiServer: Balancer;
    const network = new Network();
    const inbound = new Network();
    let walk: Walk;
    /** Of the round. */
    let over = new AbortController();

    function again(once: () => Promise<unknown>): void {
      const { signal } = over;
      void (async () => {
        while (!signal.aborted) {
          await once().catch(() => undefined);
          await sleep(50);
        }
      })();
    }

    async function shell(script: string): Promise<{ code: number; output: string }> {
      const { folder, kubeconfigPath } = cluster();
      const env = {
        ...process.env,
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        KUBECONFIG: kubeconfigPath,
        HOME: folder,
      };
      // Bash reads its rc files where standard input is a socket.
      const child = spawn('bash', ['-o', 'pipefail', '-c', script], {
        ...{ cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] },
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const code = await new Promise<number>((resolve) =>
        child.on('close', (status) => resolve(status ?? -1)),
      );
      return { code, output };
    }

    async function run(script: string): Promise<string> {
      const { code, output } = await shell(script);
      expect(code, `${script}\n${output}`).to.equal(0);
      return output;
    }

    /** There is no kubelet and no network of Services: the webhooks ask an address. */
    async function leadToGates(): Promise<void> {
      await until('every webhook to have an authority', async () => {
        const webhooks = await webhooksOf(cluster());
        return (
          webhooks.every(({ clientConfig }) => clientConfig.caBundle !== undefined) || undefined
        );
      });
      await leadWebhooksTo(cluster(), `https://127.0.0.1:${toGates.port}`);
      await untilAnswered(cluster(), 403);
    }

    before('install', async () => {
      const { folder } = cluster();
      mkdirSync(join(folder, 'bin'));
      const found = await ensurePrograms(['kubectl', 'helm']);
      const shim = (name: string, program: string): void =>
        writeFileSync(join(folder, 'bin', name), `#!/bin/sh\nexec ${program} "$@"\n`, {
          mode: 0o755,
        });
      for (const name of ['kubectl', 'helm'] as const) shim(name, found.get(name) ?? name);
      shim('olm-guard', `${process.execPath} ${join(root, 'dist', 'main.js')}`);
      await installOlm(cluster());
      for (const each of foreignDefinitions)
        await run(`kubectl apply -f - <<<'${JSON.stringify(each)}'`);
      await run('kubectl wait --for=condition=Established crd --all --timeout=60s');
      await run(install);
      await run(
        'kubectl create clusterrole walk-objects --verb=get,list --resource=*.example.com && ' +
          `kubectl create clusterrolebinding walk-objects --clusterrole=walk-objects --user=${serviceAccount}`,
      );
      const apiServerPort = Number(new URL(cluster().url).port);
      toApiServer = await startBalancer(() => [{ port: apiServerPort, network }]);
      toGates = await startBalancer(() =>
        (deployment?.pods ?? []).map(({ gate }) => ({
          ...{ port: Number(new URL(gate.url).port), network: inbound },
        })),
      );
      const monitoring = await installedMonitoring();
      const targets = join(folder, 'targets.json');
      const onChange = (pods: readonly Pod[]): void =>
        writeFileSync(
          targets,
          JSON.stringify(
            pods.map(({ name, gate }) => ({
              targets: [new URL(gate.metricsUrl).host],
              labels: targetLabels(monitoring, name),
            })),
          ),
        );
      deployment = await RunningDeployment.start(cluster(), {
        ...{ namespace: 'olm-guard', name: 'olm-guard', onChange },
        kubeconfig: kubeconfigOf(
          cluster(),
          serviceAccount,
          `https://127.0.0.1:${toApiServer.port}`,
        ),
      });
      await leadToGates();
      prometheus = await startPrometheus(
        [
          {
            ...scrapeJob(monitoring, scale),
            file_sd_configs: [{ files: [targets], refresh_interval: '1s' }],
          },
          {
            ...{ job_name: 'apiserver', scheme: 'https' },
            authorization: { credentials: cluster().token },
            tls_config: { insecure_skip_verify: true },
            static_configs: [{ targets: [new URL(cluster().url).host] }],
          },
        ],
        fastGroups(monitoring.groups, scale).map(shortenThresholds),
      );
      walk = {
        ...{ cluster: cluster(), deployment, network, inbound, run, again, leadToGates },
        balancerUrl: `https://127.0.0.1:${toGates.port}`,
      };
    });

    after(async () => {
      over.abort();
      for (const each of [network, inbound]) each.disturb();
      await prometheus?.stop();
      await deployment?.stop();
      await toGates?.close();
      await toApiServer?.close();
    });

    async function installedMonitoring(): Promise<Monitoring> {
      const read = async (kind: string): Promise<never> => {
        const path = `/apis/monitoring.coreos.com/v1/namespaces/olm-guard/${kind}/olm-guard`;
        const { code, body, text } = await cluster().request('GET', path);
        expect(code, text).to.equal(200);
        return body as never;
      };
      const { spec } = (await read('prometheusrules')) as { spec: Pick<Monitoring, 'groups'> };
      return { monitor: await read('servicemonitors'), groups: spec.groups };
    }

    const named = async (alert: string): Promise<FiringAlert[]> =>
      (await prometheus.firing()).filter(({ labels }) => labels['alertname'] === alert);

    it('nothing is told while all is well', async () => {
      await until('silence', async () => {
        const names = (await prometheus.firing()).map(({ labels }) => labels['alertname']);
        return names.length === 0 || undefined;
      });
    });

    for (const round of walked) {
      describe(round.map(({ alert }) => alert).join(', '), () => {
        before('break it', async () => {
          over = new AbortController();
          for (const { make } of round) await make(walk);
        });

        for (const row of round) {
          it(`${row.alert} fires with its words, and its runbook is followed`, () => follow(row));
        }

        it('clear again', async () => {
          over.abort();
          for (const { mend } of round) await mend?.(walk);
          for (const { alert } of round) {
            await until(
              `${alert} to clear`,
              async () => (await named(alert)).length === 0 || undefined,
              { timeoutMs: 180_000 },
            );
          }
        });
      });
    }

    async function follow({ alert, summary, says, names }: Row): Promise<void> {
      const { annotations, labels } = await until(
        `${alert} to fire with its words`,
        async () =>
          (await named(alert)).find((each) => summary.test(each.annotations['summary'] ?? '')),
        { timeoutMs: 180_000 },
      );
      expect(annotations['runbook_url']).to.match(new RegExp(`#${alert.toLowerCase()}$`));
      const commands = sections.get(alert) ?? [];
      expect(commands).to.have.length(3);
      const filled = {
        ...{ NAME: labels['pod'] ?? labels['name'] ?? '', NAMESPACE: labels['namespace'] ?? '' },
        ...names?.(walk),
      };
      for (const [index, command] of commands.entries()) {
        let script = command.startsWith('kubectl apply -k') ? (reapply ?? command) : command;
        for (const [word, value] of Object.entries(filled))
          script = script.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), value);
        const { code, output } = await shell(script);
        // doctor and scan end with 1 where they find something, and grep and get where there is nothing.
        const isQuestion = /^olm-guard |^kubectl get /.test(script);
        if (!isQuestion) expect(code, `${script}\n${output}`).to.equal(0);
        expect(says[index]?.test(output), `${script}\n${output}`).to.equal(true);
      }
      if (commands.some((each) => each.startsWith('kubectl apply -k'))) await leadToGates();
    }
  });
}

describe('the runbook', () => {
  it('is followed for every alert', () => {
    const walked = rounds.flat().map(({ alert }) => alert);
    expect(walked.sort()).to.deep.equal([...sections.keys()].sort());
  });
});

/** Seconds that an expression compares with. */
function shortenThresholds(group: object): object {
  const text = JSON.stringify(group).replace(
    'olm_guard_view_staleness_seconds) > 300',
    `olm_guard_view_staleness_seconds) > ${300 / scale}`,
  );
  return JSON.parse(text) as object;
}

const open = (group: string, version: string, kind: string, plural: string): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${plural}.${group}`,
    annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' },
  },
  spec: {
    ...{ group, scope: 'Namespaced', names: { kind, plural } },
    versions: [
      {
        ...{ name: version, served: true, storage: true },
        schema: {
          openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        },
      },
    ],
  },
});

/** Of the Prometheus Operator, and of what metrics-server serves: `kubectl top` reads no more than this. */
const foreignDefinitions = [
  open('monitoring.coreos.com', 'v1', 'ServiceMonitor', 'servicemonitors'),
  open('monitoring.coreos.com', 'v1', 'PrometheusRule', 'prometheusrules'),
  open('metrics.k8s.io', 'v1beta1', 'PodMetrics', 'pods'),
];
