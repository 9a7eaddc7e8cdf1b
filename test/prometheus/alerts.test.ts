/** The alerts and the dashboard of manifests/components, by a real Prometheus and its promtool. */
import { withVariables } from '../browser/dashboard-page.js';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { aCsv } from '../../src/olm/rules/objects/testing/harness.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { until } from '../apiserver/processes.js';
import { send } from '../server/gate.js';
import { reviewText, withSize } from '../server/reviews.js';
import { startPrometheus, type TestPrometheus } from './prometheus.js';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: Readonly<Record<string, string>>;
}
interface Group {
  readonly name: string;
  readonly rules: readonly Alert[];
}

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const components = 'manifests/components';
const { groups } = (
  load(read(`${components}/monitoring/prometheusrule.yaml`)) as { spec: { groups: Group[] } }
).spec;
const alerts = groups.flatMap(({ rules }) => rules);
interface Panel {
  readonly title: string;
  readonly type: string;
  readonly description?: string;
  readonly targets?: readonly { readonly expr: string }[];
  /** Of a row that is folded. */
  readonly panels?: readonly Panel[];
}
const { panels: shown } = JSON.parse(read(`${components}/dashboard/olm-guard.json`)) as {
  panels: readonly Panel[];
};
const panels = shown.filter(({ type }) => type !== 'row');

/** The labels that the Prometheus Operator gives a target behind the Service olm-guard. */
const target: Readonly<Record<string, string>> = {
  namespace: 'olm-guard',
  service: 'olm-guard',
  pod: 'olm-guard-0',
  container: 'olm-guard',
  endpoint: 'metrics',
  job: 'olm-guard',
  instance: '10.0.0.1:8080',
};

/** A series as it is stored: the target's labels, and what the metric itself says, which wins (honorLabels). */
function series(name: string, own: Readonly<Record<string, string>> = {}): string {
  const labels = Object.entries({ ...target, ...own }).map(([key, value]) => `${key}="${value}"`);
  return `${name}{${labels.join(',')}}`;
}

const resource = 'customresourcedefinitions';
const build = (own = {}): string => series('olm_guard_build_info', { component: 'gate', ...own });
const reviewed = (decision: string, operation = 'UPDATE'): string =>
  series('olm_guard_reviews_total', { resource, operation, decision });
const bucket = (le: string): string => series('olm_guard_review_duration_seconds_bucket', { le });
const registeredFor = (name: string): string =>
  series('olm_guard_registered', { webhook: `${name}.olm-guard.io` });
const registered = registeredFor(resource);
const csv = (phase: string, reason: string): string =>
  series('csv_abnormal', {
    namespace: 'billing',
    name: 'reports.v1.0.0',
    version: '1.0.0',
    phase,
    reason,
  });
const catalogReady = series('catalogsource_ready', { namespace: 'olm', name: 'cats' });
/** Of an API server, which is another target. */
const ofApiServer = (name: string, own: Readonly<Record<string, string>>): string =>
  `${name}{${Object.entries({ job: 'apiserver', namespace: 'default', ...own })
    .map(([key, value]) => `${key}="${value}"`)
    .join(',')}}`;
const failOpen = ofApiServer('apiserver_admission_webhook_fail_open_count', {
  name: `${resource}.olm-guard.io`,
  type: 'validating',
});
const rejected = ofApiServer('apiserver_admission_webhook_rejection_count', {
  name: `${resource}.olm-guard.io`,
  error_type: 'calling_webhook_error',
});

type Series = Readonly<Record<string, string>>;

/** What a gate shows that is well: one sample a minute, for six hours and a little. */
const well: Series = {
  [series('up')]: '1x370',
  [build()]: '1x370',
  [registered]: '1x370',
  [registeredFor('operatorgroups')]: '1x370',
  [series('olm_guard_definition_changes_total')]: '0+1x370',
  [reviewed('allowed')]: '0+10x370',
  [reviewed('denied')]: '0+1x370',
  [series('olm_guard_hurried_reviews_total')]: '0x370',
  [series('olm_guard_log_lines_dropped_total')]: '0x370',
  [bucket('0.1')]: '0+10x370',
  [bucket('10')]: '0+10x370',
  [bucket('+Inf')]: '0+10x370',
  [series('olm_guard_view_staleness_seconds', { kind: 'OperatorGroup' })]: '0x370',
  [series('olm_guard_certificate_expiry_timestamp_seconds')]: '7776000x370',
  [series('olm_guard_certificate_reloads_total', { outcome: 'failure' })]: '0x370',
  [series('olm_guard_policy_reloads_total', { outcome: 'failure' })]: '0x370',
  [csv('Failed', 'InstallFailed')]: '_x370',
  [series('installplan_warnings_total')]: '0x370',
  [catalogReady]: '1x370',
  // Another webhook's, and a denial that was none of a call that failed.
  [ofApiServer('apiserver_admission_webhook_fail_open_count', { name: 'other.example.com' })]:
    '0+9x370',
  [ofApiServer('apiserver_admission_webhook_rejection_count', {
    name: `${resource}.olm-guard.io`,
    error_type: 'no_error',
  })]: '0+9x370',
};

interface Row {
  readonly alert: string;
  /** What differs from a gate that is well, until some minutes after the second hour. */
  readonly series: Series;
  readonly labels: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly command: string;
}

const inOlmGuard = { namespace: 'olm-guard' };
const ofPod = { ...inOlmGuard, pod: 'olm-guard-0' };
const ofWebhook = { name: `${resource}.olm-guard.io` };
const logs = (pattern: string): string =>
  `kubectl -n olm-guard logs -l app.kubernetes.io/name=olm-guard --tail=-1 | grep '${pattern}'`;
const top = 'kubectl -n olm-guard top pods -l app.kubernetes.io/name=olm-guard';
const pods = 'kubectl -n olm-guard get pods -l app.kubernetes.io/name=olm-guard';

const rows: readonly Row[] = [
  {
    alert: 'OlmGuardDown',
    series: {
      [series('up')]: '1x60 _x65 1x250',
      [build()]: '1x60 _x65 1x250',
      [registered]: '1x60 _x65 1x250',
      [registeredFor('operatorgroups')]: '1x60 _x65 1x250',
    },
    labels: inOlmGuard,
    summary:
      'No gate answers Prometheus in namespace olm-guard: writes that it guards pass unjudged (failurePolicy Ignore) or are refused (Fail)',
    command: pods,
  },
  {
    alert: 'OlmGuardReplicaDown',
    series: {
      [series('up', { pod: 'olm-guard-1', instance: '10.0.0.2:8080' })]: '1x115 0x10 1x250',
      [build({ pod: 'olm-guard-1', instance: '10.0.0.2:8080' })]: '1x115 _x10 1x250',
    },
    labels: { ...target, pod: 'olm-guard-1', instance: '10.0.0.2:8080' },
    summary:
      'Gate olm-guard-1 in namespace olm-guard does not answer Prometheus: what API servers send to it passes unjudged (failurePolicy Ignore) or is refused (Fail)',
    command: 'kubectl -n olm-guard describe pod olm-guard-1',
  },
  {
    alert: 'OlmGuardFailOpen',
    series: { [failOpen]: '_x115 2x250' },
    labels: ofWebhook,
    summary: `2 writes passed ${resource}.olm-guard.io unjudged in ten minutes: API servers could not ask the gate`,
    command: 'olm-guard doctor',
  },
  {
    alert: 'OlmGuardCallsFailing',
    series: { [rejected]: '_x115 2x250' },
    labels: ofWebhook,
    summary: `2 writes were refused in ten minutes because API servers could not ask ${resource}.olm-guard.io`,
    command: 'olm-guard doctor',
  },
  {
    alert: 'OlmGuardNotRegistered',
    series: { [registered]: '1x115 0x10 1x250' },
    labels: { ...inOlmGuard, webhook: `${resource}.olm-guard.io` },
    summary: `Webhook ${resource}.olm-guard.io is missing, or lacks rules or an authority: what it should guard passes unjudged`,
    command: 'kubectl get validatingwebhookconfiguration olm-guard -o yaml',
  },
  {
    alert: 'OlmGuardNotAsked',
    series: {
      [reviewed('allowed')]: '0+10x100 1000x25 1000+10x250',
      [reviewed('denied')]: '0+1x100 100x25 100+1x250',
    },
    labels: inOlmGuard,
    summary:
      'About 10 definitions changed in ten minutes, and API servers asked the gate in namespace olm-guard about none',
    command: 'olm-guard doctor',
  },
  {
    alert: 'OlmGuardUnjudged',
    series: { [reviewed('unjudged')]: '_x115 3x250' },
    labels: { ...inOlmGuard, resource },
    summary: `3 reviews of ${resource} were answered without a judgement in ten minutes`,
    command: logs('"decision":"unjudged"'),
  },
  {
    alert: 'OlmGuardHurried',
    series: { [series('olm_guard_hurried_reviews_total')]: '0x60 0+1x65 65x250' },
    labels: inOlmGuard,
    summary:
      'Reviews of the gate in namespace olm-guard are judged by the fast rules alone: too many arrive at once',
    command: top,
  },
  {
    alert: 'OlmGuardSlow',
    series: { [bucket('0.1')]: '0+1x125 125+10x250' },
    labels: inOlmGuard,
    summary:
      'One review in a hundred of the gate in namespace olm-guard takes 10 s; the API server waits ten seconds',
    command: top,
  },
  {
    alert: 'OlmGuardViewStale',
    series: {
      [series('olm_guard_view_staleness_seconds', { kind: 'OperatorGroup' })]: '0x60 0+60x65 0x250',
    },
    labels: { ...ofPod, kind: 'OperatorGroup' },
    summary: 'Gate olm-guard-0 in namespace olm-guard: its view of OperatorGroup is 59m 0s old',
    command: `kubectl -n olm-guard logs olm-guard-0 | grep '"msg":"view"'`,
  },
  {
    alert: 'OlmGuardCertificateExpiring',
    series: {
      [series('olm_guard_certificate_expiry_timestamp_seconds')]: '864000x125 7776000x250',
    },
    labels: inOlmGuard,
    summary:
      'The serving certificate in namespace olm-guard expires in 9d 22h 0m 0s, and nothing has renewed it',
    command: 'olm-guard doctor',
  },
  {
    alert: 'OlmGuardCertificateRefused',
    series: {
      [series('olm_guard_certificate_reloads_total', { outcome: 'failure' })]: '0x115 1x250',
    },
    labels: ofPod,
    summary:
      'Gate olm-guard-0 in namespace olm-guard could not load a serving certificate; it keeps the current one',
    command: "kubectl -n olm-guard logs olm-guard-0 | grep 'certificate not reloaded'",
  },
  {
    alert: 'OlmGuardPolicyRefused',
    series: { [series('olm_guard_policy_reloads_total', { outcome: 'failure' })]: '0x115 1x250' },
    labels: ofPod,
    summary:
      'Gate olm-guard-0 in namespace olm-guard rejected an invalid policy; the previous one stays in force',
    command: "kubectl -n olm-guard logs olm-guard-0 | grep 'policy not reloaded'",
  },
  {
    alert: 'OlmGuardBypassUsed',
    series: {
      [series('olm_guard_bypasses_total', { by: 'crd', family: 'crd-upgrade-safety' })]:
        '_x115 1x250',
    },
    labels: { ...inOlmGuard, by: 'crd', family: 'crd-upgrade-safety' },
    summary: 'A switch-off (crd) let 1 changes past crd-upgrade-safety within an hour',
    command: logs('"decision":"bypassed"'),
  },
  {
    alert: 'OlmGuardSwitchOffEnds',
    series: {
      [series('olm_guard_switch_off_expiry_timestamp_seconds', { by: 'crd' })]: '50000x125 _x250',
    },
    labels: { ...inOlmGuard, by: 'crd' },
    summary: 'A switch-off (crd) ends in 11h 53m 20s; what it lets pass is denied from then on',
    command: 'olm-guard scan',
  },
  {
    alert: 'OlmGuardSwitchOffSet',
    series: {
      [series('olm_guard_new_switch_offs_total', { by: 'crd', counts: 'true' })]: '_x115 1x250',
    },
    labels: { ...inOlmGuard, by: 'crd' },
    summary: 'A request has set a switch-off (crd); the next breaking change may pass',
    command: 'olm-guard scan',
  },
  {
    alert: 'OlmGuardConflictingObjects',
    series: {
      [series('olm_guard_conflicting_objects', { rule: 'MultipleOperatorGroups' })]:
        '0x60 2x65 0x250',
    },
    labels: { ...inOlmGuard, rule: 'MultipleOperatorGroups' },
    summary:
      '2 OLM objects conflict (MultipleOperatorGroups): they were created at the same time, or before the gate',
    command: 'olm-guard scan',
  },
  {
    alert: 'OlmGuardDenialsSpike',
    series: { [reviewed('denied')]: '0+1x110 120+30x15 570+1x250' },
    labels: inOlmGuard,
    summary:
      'The gate in namespace olm-guard denied 280 changes in ten minutes, five times what is usual',
    command: logs('"decision":"denied"'),
  },
  {
    alert: 'OlmGuardLogLinesDropped',
    series: { [series('olm_guard_log_lines_dropped_total')]: '0x60 0+1x65 65x250' },
    labels: ofPod,
    summary:
      'Log lines of gate olm-guard-0 in namespace olm-guard are lost: whoever reads standard error is too slow or gone',
    command: 'kubectl -n olm-guard describe pod olm-guard-0',
  },
  {
    alert: 'CsvAbnormalFailedOver2Min',
    series: { [csv('Failed', 'InstallFailed')]: '_x60 1x65 _x250' },
    labels: {
      namespace: 'billing',
      name: 'reports.v1.0.0',
      version: '1.0.0',
      phase: 'Failed',
      reason: 'InstallFailed',
    },
    summary: 'reports.v1.0.0 in billing has failed: InstallFailed',
    command: 'kubectl -n billing describe csv reports.v1.0.0',
  },
  {
    alert: 'CsvAbnormalOver30Min',
    series: { [csv('Pending', 'RequirementsNotMet')]: '_x60 1x65 _x250' },
    labels: {
      namespace: 'billing',
      name: 'reports.v1.0.0',
      version: '1.0.0',
      phase: 'Pending',
      reason: 'RequirementsNotMet',
    },
    summary: 'reports.v1.0.0 in billing has been Pending for half an hour: RequirementsNotMet',
    command: 'kubectl -n billing describe csv reports.v1.0.0',
  },
  {
    alert: 'InstallPlanStepAppliedWithWarnings',
    series: { [series('installplan_warnings_total')]: '0x117 4x250' },
    labels: {},
    summary: 'The API server warned about 4 steps of InstallPlans',
    command: 'kubectl get events -A --field-selector reason=AppliedWithWarnings',
  },
  {
    alert: 'CatalogSourceNotReady',
    series: { [catalogReady]: '1x60 0x65 1x250' },
    labels: { namespace: 'olm', name: 'cats' },
    summary: 'CatalogSource cats in olm is not READY: nothing that sees it is resolved',
    command: 'kubectl -n olm describe catalogsource cats',
  },
];

describe('alerts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-alerts-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Holds promtool to what fires two hours on, and to silence six hours on when all is well again. */
  function check(input: Series, expected: readonly Row[], clears = true): void {
    const tests = [
      { at: '2h', fires: expected },
      ...(clears ? [{ at: '6h', fires: [] }] : []),
    ].flatMap(({ at, fires }) =>
      alerts.map(({ alert, labels, annotations }) => ({
        eval_time: at,
        alertname: alert,
        exp_alerts: fires
          .filter((each) => each.alert === alert)
          .map((each) => ({
            exp_labels: { ...labels, ...each.labels },
            exp_annotations: {
              summary: each.summary,
              command: each.command,
              runbook_url: annotations['runbook_url'],
            },
          })),
      })),
    );
    writeFileSync(join(folder, 'rules.json'), JSON.stringify({ groups }));
    const input_series = Object.entries(input).map(([name, values]) => ({ series: name, values }));
    const test = {
      rule_files: [join(folder, 'rules.json')],
      tests: [{ interval: '1m', input_series, alert_rule_test: tests }],
    };
    writeFileSync(join(folder, 'test.json'), JSON.stringify(test));
    const { status, stdout, stderr } = spawnSync(
      'promtool',
      ['test', 'rules', join(folder, 'test.json')],
      { encoding: 'utf8' },
    );
    expect(status, `${stdout}${stderr}`).to.equal(0);
  }

  it('are rules that promtool accepts', () => {
    writeFileSync(join(folder, 'rules.json'), JSON.stringify({ groups }));
    const { status, stdout, stderr } = spawnSync(
      'promtool',
      ['check', 'rules', join(folder, 'rules.json')],
      { encoding: 'utf8' },
    );
    expect(status, `${stdout}${stderr}`).to.equal(0);
    expect(stdout).to.include(`${alerts.length} rules found`);
  });

  it('are silent while all is well', () => {
    check(well, []);
  });

  it('are each tested', () => {
    expect(rows.map(({ alert }) => alert)).to.deep.equal(alerts.map(({ alert }) => alert));
  });

  for (const row of rows) {
    it(`${row.alert} fires with its text, no other does, and it clears`, () => {
      check({ ...well, ...row.series }, [row]);
    });
  }

  const ofOlm = (name: string): string =>
    name
      .replace('job="olm-guard"', 'job="olm-operator-metrics"')
      .replace('pod="olm-guard-0"', 'pod="olm-operator-0"')
      .replace('instance="10.0.0.1:8080"', 'instance="10.0.0.2:8443"');
  for (const row of rows.filter(({ alert }) => /^(?:Csv|InstallPlan|CatalogSource)/.test(alert))) {
    it(`${row.alert} counts each object once beside OLM's own metrics`, () => {
      const own = Object.entries(row.series).map(([name, values]) => [ofOlm(name), values]);
      check({ ...well, ...row.series, ...(Object.fromEntries(own) as typeof row.series) }, [row]);
    });
  }

  const [down] = rows as [Row];

  it('OlmGuardDown names the cluster whose gate is gone, while another has its own', () => {
    const series: Record<string, string> = { ...well };
    for (const cluster of ['east', 'west']) {
      series[build({ cluster })] = cluster === 'west' ? '1x60 _x65 1x250' : '1x370';
    }
    check(series, [{ ...down, labels: { ...inOlmGuard, cluster: 'west' } }]);
  });

  it('OlmGuardDown fires where no gate was ever seen', () => {
    const { summary } = down;
    const row = {
      ...down,
      labels: { component: 'gate' },
      summary: summary.replace(' in namespace olm-guard', ''),
    };
    check({ 'prometheus_build_info{}': '1x370' }, [row], false);
  });

  it('OlmGuardDown does not take a sidecar for a gate', () => {
    const sidecar = build({ component: 'sidecar', namespace: 'ci' });
    check({ ...well, ...down.series, [sidecar]: '1x60 _x310' }, [down]);
  });

  it('OlmGuardDown goes on for as long as the Deployment is there', () => {
    const wanted = 'kube_deployment_spec_replicas{namespace="olm-guard",deployment="olm-guard"}';
    check({ 'prometheus_build_info{}': '1x370', [wanted]: '2x370' }, [down], false);
  });

  /** The alert where not one webhook is gone, but all of them with their configuration. */
  function registrationGone(): Row {
    const [row] = rows.filter(({ alert }) => alert === 'OlmGuardNotRegistered') as [Row];
    const [one, all] = [
      `Webhook ${resource}.olm-guard.io`,
      'ValidatingWebhookConfiguration olm-guard',
    ];
    return { ...row, summary: row.summary.replace(one, all) };
  }

  it('OlmGuardNotRegistered fires once where the whole registration is gone, and no other does', () => {
    const gone = '1x115 0x10 1x250';
    const row = registrationGone();
    check(
      {
        ...well,
        [registered]: gone,
        [registeredFor('operatorgroups')]: gone,
        // Of another replica.
        [series('olm_guard_registered', {
          ...{ pod: 'olm-guard-1', instance: '10.0.0.2:8080', webhook: `${resource}.olm-guard.io` },
        })]: gone,
        // Nobody asks the gate, and definitions change.
        [reviewed('allowed')]: '0+10x100 1000x25 1000+10x250',
        [reviewed('denied')]: '0+1x100 100x25 100+1x250',
      },
      [{ ...row, labels: inOlmGuard }],
    );
  });

  it('OlmGuardReplicaDown is silent where no other replica answers: OlmGuardDown fires', () => {
    check(
      { ...well, ...down.series, [series('up')]: '1x115 0x10 1x250', [build()]: '1x60 _x65 1x250' },
      [down],
    );
  });

  for (const [raised, said] of [
    ['0+0.37x370', 4],
    ['0+0.01x370', 1],
  ] as const) {
    it(`a rise of ${raised} in ten minutes is said as a whole number`, () => {
      const [row] = rows.filter(({ alert }) => alert === 'OlmGuardFailOpen') as [Row];
      check(
        { ...well, [failOpen]: raised },
        [{ ...row, summary: row.summary.replace('2', `${said}`) }],
        false,
      );
    });
  }

  it('OlmGuardNotRegistered fires when no gate is left to say so', () => {
    const registration = 'kube_validatingwebhookconfiguration_info{validatingwebhookconfiguration';
    const gone = '1x60 _x65 1x250';
    const row = registrationGone();
    check(
      {
        ...well,
        ...down.series,
        [`${registration}="olm-guard"}`]: gone,
        [`${registration}="other"}`]: '1x370',
      },
      [down, { ...row, labels: {} }],
    );
  });

  it('OlmGuardNotRegistered is silent about clusters that never had a gate', () => {
    const other =
      'kube_validatingwebhookconfiguration_info{cluster="west",validatingwebhookconfiguration="other"}';
    check({ ...well, [other]: '1x370' }, []);
  });

  it('OlmGuardDenialsSpike fires about the first denials of a gate', () => {
    const [row] = rows.filter(({ alert }) => alert === 'OlmGuardDenialsSpike') as [Row];
    const summary = row.summary.replace('280', '30');
    // One sample may be all that was there when they came.
    check({ ...well, [reviewed('denied')]: '_x115 30x250' }, [{ ...row, summary }]);
  });

  it('OlmGuardNotAsked is silent where the only question was about the only change', () => {
    check(
      {
        ...well,
        [series('olm_guard_definition_changes_total')]: '0x115 1x250',
        [reviewed('allowed')]: '_x115 1x250',
        [reviewed('denied')]: '_x370',
      },
      [],
    );
  });

  describe('the runbook', () => {
    const sections = read('docs/runbook.md').split(/^## /m).slice(1);

    it('has a section for each, at a full address', () => {
      expect(sections.map((each) => each.split('\n', 1)[0])).to.deep.equal(
        alerts.map(({ alert }) => alert),
      );
      const { version } = JSON.parse(read('package.json')) as { version: string };
      for (const { alert, annotations } of alerts) {
        expect(annotations['runbook_url']).to.equal(
          `https://unpkg.com/olm-guard@${version}/docs/runbook.md#${alert.toLowerCase()}`,
        );
      }
    });

    for (const section of sections) {
      it(`${section.split('\n', 1)[0]}: what happens to users, then three commands`, () => {
        expect(section).to.match(
          /^\S+\n\n_(critical|warning|info)_\. \S.*\n\n```sh\n(?:\S.*\n){3}```\n\n\S/,
        );
      });
    }
  });
});

describe('the dashboard', () => {
  let gate: TestGate;
  let prometheus: TestPrometheus;
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-dashboard-'));

  before(async () => {
    const failed = aCsv({ name: 'cats.v1', status: { phase: 'Failed', reason: 'NoSpace' } });
    const state = { apiVersion: 'operators.coreos.com/v1alpha1', ...failed };
    writeFileSync(join(folder, 'state.yaml'), JSON.stringify(state));
    gate = await startGate(folder, ['--state', folder]);
    prometheus = await startPrometheus(new URL(gate.metricsUrl).host);
  });
  after(async () => {
    await prometheus?.stop();
    await gate?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('shows of the log what a line about a review has', async () => {
    const folded = shown.flatMap(({ panels = [] }) => panels);
    expect(folded.map(({ type }) => type)).to.deep.equal(['logs']);
    const [{ description, targets: [{ expr = '' } = {}] = [] } = {}] = folded;
    expect(description).to.match(/^[A-Z].{20,}\.$/);
    const denied = reviewText({
      oldObject: withSize({ type: 'integer' }),
      object: withSize(undefined),
    });
    await send(gate.url, gate.ca, denied, {});
    const line = await until('the line about it', () =>
      gate.logs().find(({ msg, decision }) => msg === 'review' && decision === 'denied'),
    );
    const [, json = ''] = /\| json ([^|]+) \|/.exec(expr) ?? [];
    const fields = [...json.matchAll(/\w+="(\w+)"/g)].map(([, name = '']) => name);
    expect(fields).to.have.length.above(5);
    // A definition has no namespace; Loki leaves its place empty.
    const isOf = (name: string): boolean => name in line || name === 'namespace';
    expect(fields.filter((name) => !isOf(name))).to.deep.equal([]);
  });

  for (const { title, description = '', targets = [] } of panels) {
    it(`${title}: says what it shows, of the clusters and namespaces that are chosen`, () => {
      expect(description).to.match(/^[A-Z].{20,}\.$/);
      for (const { expr } of targets) {
        const of = /\b(?:olm_guard|csv|process|apiserver)_\w+(\{[^}]*\}?)?/g;
        for (const [metric, selector = ''] of expr.matchAll(of)) {
          expect(selector, metric).to.include('cluster=~"$cluster"');
          if (/^(?:olm_guard|process)_/.test(metric)) {
            expect(selector, metric).to.include('namespace=~"$namespace"');
          }
        }
      }
    });

    it(`${title}: asks what Prometheus understands, of metrics that the gate has`, async () => {
      const exported = await gate.metrics();
      for (const { expr } of targets) {
        await prometheus.query(withVariables(expr, '1h'));
        const names = expr.match(/\b(?:olm_guard|csv|process)_\w+/g) ?? [];
        if (!expr.includes('apiserver_')) expect(names, expr).not.to.deep.equal([]);
        // It reads no registration here.
        for (const name of names.filter((each) => each !== 'olm_guard_registered'))
          expect(exported).to.include(`# TYPE ${name.replace(/_bucket$/, '')} `);
      }
    });
  }
});
