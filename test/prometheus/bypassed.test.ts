/** What a cluster tells of a gate that nobody gets through to: a real API server, gate and Prometheus. */
import { expect } from 'chai';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { useCluster } from '../apiserver/mocha.js';
import { until } from '../apiserver/processes.js';
import {
  breaking,
  create,
  kubeconfigOf,
  kubectl,
  pointWebhooksAt,
  replace,
  serviceAccount,
  untilAnswered,
  webhookConfiguration,
} from '../cluster/installed-gate.js';
import { widgets } from '../cluster/widgets.js';
import {
  fastGroups,
  monitoringOfManifests,
  scrapeConfig,
  secondsUntilFiring,
  type Monitoring,
} from './operator.js';
import { startPrometheus, type FiringAlert, type TestPrometheus } from './prometheus.js';

const webhook = 'customresourcedefinitions.olm-guard.io';

describe('a gate that is bypassed', function () {
  this.timeout(300_000);
  const cluster = useCluster({ users: [{ name: serviceAccount }] });
  let gate: TestGate;
  let prometheus: TestPrometheus;
  let monitoring: Monitoring;

  before(async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    gate = await startGate(cluster().folder, [
      `--kubeconfig=${kubeconfigOf(cluster(), serviceAccount)}`,
    ]);
    await pointWebhooksAt(cluster(), gate);
    await untilAnswered(cluster(), 403);
    monitoring = await monitoringOfManifests();
    const apiServer = {
      job_name: 'apiserver',
      scheme: 'https',
      authorization: { credentials: cluster().token },
      tls_config: { insecure_skip_verify: true },
      static_configs: [{ targets: [new URL(cluster().url).host] }],
    };
    prometheus = await startPrometheus(
      [scrapeConfig(monitoring, new URL(gate.metricsUrl).host, 'olm-guard-0'), apiServer],
      fastGroups(monitoring.groups),
    );
    await until('both to be scraped, and the gate to know its registration', async () => {
      const up = await prometheus.query('sum(up)');
      const [registered] = await prometheus.query('min(olm_guard_registered)');
      return (up[0]?.value === 2 && registered?.value === 1) || undefined;
    });
  });
  after(async () => {
    if (gate !== undefined) process.kill(gate.pid, 'SIGCONT');
    await prometheus?.stop();
    await gate?.stop();
  });

  const named = async (name: string): Promise<FiringAlert[]> =>
    (await prometheus.firing()).filter(({ labels }) => labels['alertname'] === name);
  const fires = (name: string): Promise<FiringAlert> =>
    until(`${name} to fire`, async () => (await named(name))[0]);
  const clears = (name: string): Promise<true> =>
    until(`${name} to clear`, async () => (await named(name)).length === 0 || undefined);

  it('is silent while API servers get through', async () => {
    expect((await create(cluster(), widgets())).code).to.equal(201);
    // Before it was led to the gate the registration had no authority, and what was written then passed.
    await until('silence about all else', async () => {
      const others = (await prometheus.firing()).filter(
        ({ labels }) => labels['alertname'] !== 'OlmGuardFailOpen',
      );
      return others.length === 0 || undefined;
    });
  });

  it('a process that hangs is found within two minutes, and what passed it is told', async () => {
    const passedWrites = async (): Promise<number> => {
      const count = `sum(apiserver_admission_webhook_fail_open_count{name="${webhook}"})`;
      return (await prometheus.query(count))[0]?.value ?? 0;
    };
    const before = await passedWrites();
    process.kill(gate.pid, 'SIGSTOP');
    // Under Ignore, after the ten seconds that the API server waits.
    expect((await replace(cluster(), breaking())).code).to.equal(200);
    const { annotations } = await fires('OlmGuardDown');
    expect(annotations['summary']).to.match(/^No gate answers Prometheus in namespace olm-guard: /);
    expect(annotations['command']).to.equal(
      'kubectl -n olm-guard get pods -l app.kubernetes.io/name=olm-guard',
    );
    const pending = 'ALERTS{alertname="OlmGuardDown",alertstate="pending"}';
    const [evaluations] = await prometheus.query(`count_over_time(${pending}[10m])`);
    expect(evaluations?.value).to.be.greaterThan(0);
    expect(
      secondsUntilFiring(monitoring, 'OlmGuardDown', (evaluations?.value ?? Infinity) + 1),
    ).to.be.at.most(120);
    await until('the API server to count it', async () =>
      (await passedWrites()) === before + 1 ? true : undefined,
    );
    const passed = await fires('OlmGuardFailOpen');
    expect(passed.labels['name']).to.equal(webhook);
    expect(passed.annotations['summary']).to.match(
      /^\d+ writes passed customresourcedefinitions\.olm-guard\.io unjudged in ten minutes: /,
    );
    expect(passed.annotations['command']).to.equal('olm-guard doctor');
    const names = (await prometheus.firing()).map(({ labels }) => labels['alertname']);
    expect(names, 'of a replica, beside a gate that is down').to.not.include('OlmGuardReplicaDown');
  });

  it('one that goes on is told of no longer', async () => {
    process.kill(gate.pid, 'SIGCONT');
    await clears('OlmGuardDown');
  });

  it('one that API servers insist on and cannot reach refuses, which is told', async () => {
    const policy = (value: string) => [{ op: 'replace', path: '/webhooks/0/failurePolicy', value }];
    const patch = async (operations: object[]): Promise<void> => {
      const options = { contentType: 'application/json-patch+json' };
      const { code, text } = await cluster().request(
        'PATCH',
        webhookConfiguration,
        operations,
        options,
      );
      expect(code, text).to.equal(200);
    };
    const [client] = [{ op: 'replace', path: '/webhooks/0/clientConfig/url' }];
    await patch([...policy('Fail'), { ...client, value: 'https://127.0.0.1:1/validate' }]);
    await until('a refusal', async () => {
      const { code } = await replace(cluster(), breaking('probes'), { query: '?dryRun=All' });
      return code === 500 || undefined;
    });
    const { annotations } = await fires('OlmGuardCallsFailing');
    expect(annotations['summary']).to.match(
      /writes were refused in ten minutes because API servers could not ask customresourcedefinitions\.olm-guard\.io$/,
    );
    await patch([...policy('Ignore'), { ...client, value: `${gate.url}/validate` }]);
    await untilAnswered(cluster(), 403);
  });

  it('one whose registration lacks a rule is told of by itself, and changes without a question are counted', async () => {
    const path = '/webhooks/0/rules/0/operations';
    const narrow = [{ op: 'replace', path, value: ['CREATE'] }];
    const options = { contentType: 'application/json-patch+json' };
    await cluster().request('PATCH', webhookConfiguration, narrow, options);
    const { annotations, labels } = await fires('OlmGuardNotRegistered');
    expect(labels).to.include({ webhook, namespace: 'olm-guard' });
    expect(annotations['summary']).to.match(
      /^Webhook customresourcedefinitions\.olm-guard\.io is missing, or lacks rules or an authority: /,
    );
    expect(annotations['command']).to.equal(
      'kubectl get validatingwebhookconfiguration olm-guard -o yaml',
    );
    const told = gate
      .logs()
      .filter(({ msg, state }) => msg === 'registration' && state === 'incomplete')
      .at(-1);
    expect(told?.['reason']).to.match(/no rule for UPDATE\/DELETE customresourcedefinitions/);
    const changes = async (): Promise<number> =>
      (await prometheus.query('olm_guard_definition_changes_total'))[0]?.value ?? 0;
    const before = await changes();
    expect((await replace(cluster(), breaking('probes'))).code).to.equal(200);
    await until(
      'the change to be counted',
      async () => (await changes()) === before + 1 || undefined,
    );
    await kubectl(cluster(), 'delete', 'validatingwebhookconfiguration', 'olm-guard');
    await until('all of them to be missing', async () => {
      const [sum] = await prometheus.query('sum(olm_guard_registered)');
      return sum?.value === 0 || undefined;
    });
    const one = await until('one alert for the whole registration', async () => {
      const all = (await prometheus.firing()).filter(
        ({ labels: { alertname } }) => alertname === 'OlmGuardNotRegistered',
      );
      return (all.length === 1 && all[0]?.labels['webhook'] === undefined && all[0]) || undefined;
    });
    expect(one.annotations['summary']).to.match(/^ValidatingWebhookConfiguration olm-guard is /);
  });

  it('one that is registered again is told of no longer', async () => {
    await kubectl(cluster(), 'apply', '-k', 'manifests/base');
    await pointWebhooksAt(cluster(), gate);
    await clears('OlmGuardNotRegistered');
  });
});
