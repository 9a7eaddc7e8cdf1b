/** The alerts and the dashboard of manifests/components, by a real Prometheus and its promtool. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from 'js-yaml';
import { aCsv } from '../../src/rules/olm/testing/harness.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
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
  load(read(`${components}/alerts/prometheusrule.yaml`)) as { spec: { groups: Group[] } }
).spec;
const alerts = groups.flatMap(({ rules }) => rules);
const panels = (
  JSON.parse(read(`${components}/dashboard/olm-guard.json`)) as {
    panels: { title: string; targets: { expr: string }[] }[];
  }
).panels;

/** What a gate shows that is well: one sample a minute. */
const well: Readonly<Record<string, string>> = {
  'olm_guard_build_info{instance="a"}': '1x240',
  'olm_guard_reviews_total{resource="customresourcedefinitions",decision="allowed"}': '0+10x240',
  'olm_guard_reviews_total{resource="customresourcedefinitions",decision="denied"}': '0+1x240',
  olm_guard_hurried_reviews_total: '0x240',
  olm_guard_log_lines_dropped_total: '0x240',
  'olm_guard_review_duration_seconds_bucket{le="0.1"}': '0+10x240',
  'olm_guard_review_duration_seconds_bucket{le="10"}': '0+10x240',
  'olm_guard_review_duration_seconds_bucket{le="+Inf"}': '0+10x240',
  'olm_guard_view_staleness_seconds{kind="OperatorGroup"}': '0x240',
  olm_guard_certificate_expiry_timestamp_seconds: '7776000x240',
  'olm_guard_certificate_reloads_total{outcome="failure"}': '0x240',
  'olm_guard_policy_reloads_total{outcome="failure"}': '0x240',
  'csv_abnormal{namespace="ns",name="cats.v1",phase="Failed"}': '_x240',
  installplan_warnings_total: '0x240',
  'catalogsource_ready{namespace="olm",name="cats"}': '1x240',
};

/** By alert: what differs when it fires. */
const ill: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  OlmGuardDown: { 'olm_guard_build_info{instance="a"}': '1x60 _x180' },
  OlmGuardUnjudged: {
    'olm_guard_reviews_total{resource="customresourcedefinitions",decision="unjudged"}':
      '_x115 1+1x124',
  },
  OlmGuardHurried: { olm_guard_hurried_reviews_total: '0x60 0+1x180' },
  OlmGuardSlow: { 'olm_guard_review_duration_seconds_bucket{le="0.1"}': '0+1x240' },
  OlmGuardViewStale: { 'olm_guard_view_staleness_seconds{kind="OperatorGroup"}': '0+60x240' },
  OlmGuardCertificateExpiring: { olm_guard_certificate_expiry_timestamp_seconds: '864000x240' },
  OlmGuardCertificateRefused: {
    'olm_guard_certificate_reloads_total{outcome="failure"}': '0x115 1x124',
  },
  OlmGuardPolicyRefused: { 'olm_guard_policy_reloads_total{outcome="failure"}': '0x115 1x124' },
  OlmGuardBypassUsed: {
    'olm_guard_bypasses_total{by="crd",family="crd-upgrade-safety"}': '_x115 1x124',
  },
  OlmGuardSwitchOffEnds: {
    'olm_guard_switch_off_expiry_timestamp_seconds{by="crd"}': '50000x240',
  },
  OlmGuardSwitchOffSet: {
    'olm_guard_switch_offs_planted_total{by="crd",counts="true"}': '_x115 1x124',
  },
  OlmGuardDenialsSpike: {
    'olm_guard_reviews_total{resource="customresourcedefinitions",decision="denied"}':
      '0+1x110 120+30x129',
  },
  OlmGuardLogLinesDropped: { olm_guard_log_lines_dropped_total: '0x60 0+1x180' },
  CsvAbnormalFailedOver2Min: {
    'csv_abnormal{namespace="ns",name="cats.v1",phase="Failed"}': '_x60 1x180',
  },
  CsvAbnormalOver30Min: {
    'csv_abnormal{namespace="ns",name="cats.v1",phase="Pending"}': '_x60 1x180',
  },
  InstallPlanStepAppliedWithWarnings: { installplan_warnings_total: '0x117 1x122' },
  CatalogSourceNotReady: { 'catalogsource_ready{namespace="olm",name="cats"}': '1x60 0x180' },
};

describe('alerts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-alerts-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** @returns the names of the alerts that fire two hours on */
  function firing(series: Readonly<Record<string, string>>): string[] {
    const expected = (fires: boolean): object[] =>
      alerts.map(({ alert }) => ({
        eval_time: '2h',
        alertname: alert,
        exp_alerts: fires ? [{}] : [],
      }));
    writeFileSync(join(folder, 'rules.json'), JSON.stringify({ groups }));
    const test = {
      rule_files: [join(folder, 'rules.json')],
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          alert_rule_test: expected(false),
        },
      ],
    };
    writeFileSync(join(folder, 'test.json'), JSON.stringify(test));
    const { stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'test.json')], {
      encoding: 'utf8',
    });
    const said = `${stdout}${stderr}`;
    expect(said, 'promtool read the test').to.match(/SUCCESS|alertname/);
    return alerts
      .map(({ alert }) => alert)
      .filter((alert) => said.includes(`alertname: ${alert},`));
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
    expect(firing(well)).to.deep.equal([]);
  });

  it('are tried out, each of them', () => {
    expect(Object.keys(ill)).to.deep.equal(alerts.map(({ alert }) => alert));
  });

  for (const [alert, difference] of Object.entries(ill)) {
    it(`${alert} fires, and no other`, () => {
      expect(firing({ ...well, ...difference })).to.deep.equal([alert]);
    });
  }

  it('have a section of the runbook each', () => {
    const sections = [...read('docs/runbook.md').matchAll(/^## (\S+)$/gm)].map(([, name]) => name);
    expect(sections).to.deep.equal(alerts.map(({ alert }) => alert));
    for (const { alert, annotations } of alerts) {
      expect(annotations['runbook_url']).to.equal(`docs/runbook.md#${alert.toLowerCase()}`);
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

  for (const { title, targets } of panels) {
    it(`${title}: asks what Prometheus understands, of metrics that the gate has`, async () => {
      const exported = await gate.metrics();
      for (const { expr } of targets) {
        await prometheus.query(expr.replaceAll('$__rate_interval', '1m'));
        const names = expr.match(/\b(?:olm_guard|csv|process|catalogsource)_\w+/g) ?? [];
        expect(names, expr).not.to.deep.equal([]);
        for (const name of names)
          expect(exported).to.include(`# TYPE ${name.replace(/_bucket$/, '')} `);
      }
    });
  }
});
