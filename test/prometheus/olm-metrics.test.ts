/** What a real Prometheus gets to know from the gate, and what promtool thinks of it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '../../src/text/documents/index.js';
import { families } from '../../src/gate/metrics/olm/families.js';
import { queueCatalogText } from '../../src/olm/rules/objects/testing/queue-catalog.js';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { send } from '../server/gate.js';
import { until } from '../apiserver/processes.js';
import { startPrometheus, type Sample, type TestPrometheus } from './prometheus.js';

const olm = (object: JsonObject): JsonObject => ({
  apiVersion: 'operators.coreos.com/v1alpha1',
  ...object,
});
const csv = (name: string, phase: string, reason: string): JsonObject =>
  olm(aCsv({ name, spec: { version: '1.2.3' }, status: { phase, reason } }));
const subscription = (name: string): JsonObject =>
  olm(
    makeObject('Subscription', name, 'ns', {
      spec: { name, channel: 'stable', installPlanApproval: 'Manual' },
      status: { installedCSV: `${name}.v1` },
    }),
  );
const catalog = (name: string, state: string): JsonObject =>
  olm(
    makeObject('CatalogSource', name, 'olm', {
      status: { connectionState: { lastObservedState: state } },
    }),
  );
const warnings = (count: number): JsonObject => ({
  apiVersion: 'v1',
  ...makeObject('Event', 'w', 'ns', {
    involvedObject: { kind: 'InstallPlan', namespace: 'ns', name: 'p' },
    reason: 'AppliedWithWarnings',
    count,
  }),
});

describe('a Prometheus that scrapes the gate', () => {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-metrics-'));
  let gate: TestGate;
  let prometheus: TestPrometheus;

  const write = (objects: readonly JsonObject[]): void =>
    writeFileSync(
      join(folder, 'state.yaml'),
      objects.map((each) => JSON.stringify(each)).join('\n---\n'),
    );

  before('start both', async () => {
    write([
      csv('cats.v1', 'Succeeded', 'InstallSucceeded'),
      csv('dogs.v1', 'Failed', 'UnsupportedOperatorGroup'),
      subscription('cats'),
      olm(makeObject('InstallPlan', 'p', 'ns', { spec: { approved: true } })),
      catalog('good', 'READY'),
      catalog('bad', 'TRANSIENT_FAILURE'),
    ]);
    mkdirSync(join(folder, 'catalogs'));
    const catalogs = join(folder, 'catalogs', 'catalog.txt');
    writeFileSync(catalogs, queueCatalogText);
    gate = await startGate(folder, [
      ...['--state', folder],
      ...['--catalog', `good=${catalogs}`, '--catalog', `absent=${catalogs}`],
    ]);
    prometheus = await startPrometheus(new URL(gate.metricsUrl).host);
  });

  after('stop both', async () => {
    await prometheus?.stop();
    await gate?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const one = { name: 'cats.v1', namespace: 'ns', version: '1.2.3' };
  const two = { ...one, name: 'dogs.v1' };
  const synced = {
    approval: 'Manual',
    channel: 'stable',
    installed: 'cats.v1',
    name: 'cats',
    package: 'cats',
  };
  const place = (name: string) => ({ name, namespace: 'olm' });
  const rows: readonly [name: string, samples: Sample[]][] = [
    ['csv_count', [{ labels: {}, value: 2 }]],
    [
      'csv_succeeded',
      [
        { labels: one, value: 1 },
        { labels: two, value: 0 },
      ],
    ],
    [
      'csv_abnormal',
      [{ labels: { ...two, phase: 'Failed', reason: 'UnsupportedOperatorGroup' }, value: 1 }],
    ],
    ['csv_upgrade_count', [{ labels: {}, value: 0 }]],
    ['install_plan_count', [{ labels: {}, value: 1 }]],
    ['installplan_warnings_total', [{ labels: {}, value: 0 }]],
    ['subscription_count', [{ labels: {}, value: 1 }]],
    ['subscription_sync_total', [{ labels: synced, value: 1 }]],
    ['catalog_source_count', [{ labels: {}, value: 2 }]],
    [
      'catalogsource_ready',
      [
        { labels: place('bad'), value: 0 },
        { labels: place('good'), value: 1 },
      ],
    ],
    [
      'catalog_source_snapshots_total',
      [
        { labels: place('bad'), value: 0 },
        // The gate has read the catalog of that name.
        { labels: place('good'), value: 1 },
      ],
    ],
    // Without samples until something resolves.
    ['olm_resolution_duration_seconds', []],
  ];

  for (const [name, samples] of rows) {
    it(`knows ${name}`, async () => {
      const found = await prometheus.query(name);
      const sorted = found.sort((a, b) => (text(a) < text(b) ? -1 : 1));
      expect(sorted).to.deep.equal(samples);
    });
  }

  it('finds every metric that OLM has', () => {
    expect(rows.map(([name]) => name).sort()).to.deep.equal(
      Object.values(families)
        .map(({ name }) => name)
        .sort(),
    );
  });

  it('follows upgrades, warnings and deletions', async () => {
    write([
      csv('cats.v1', 'Replacing', 'BeingReplaced'),
      csv('cats.v2', 'Pending', 'RequirementsUnknown'),
      catalog('good', 'READY'),
      warnings(3),
    ]);
    const becomes = (expression: string, value: number | undefined): Promise<true> =>
      until(`${expression} to be ${value}`, async () => {
        const [sample] = await prometheus.query(expression);
        return sample?.value === value || undefined;
      });
    await becomes('csv_upgrade_count', 1);
    await becomes('csv_abnormal{phase="Replacing"}', 1);
    await becomes('installplan_warnings_total', 3);
    await becomes('csv_succeeded{name="dogs.v1"}', undefined);
    await becomes('catalogsource_ready{name="bad"}', undefined);
    await becomes('subscription_count', 0);
  });

  it('knows how long resolutions take, once there was one', async () => {
    const object = {
      ...subscription('queue'),
      spec: { name: 'queue', channel: 'stable', source: 'good', sourceNamespace: 'olm' },
    };
    write([anOlmGroup, catalog('good', 'READY')]);
    await until('the gate to have resolved', async () => {
      const { status } = await send(gate.url, gate.ca, reviewOf(object), {});
      expect(status).to.equal(200);
      const [count] = await prometheus.query(
        'olm_resolution_duration_seconds_count{outcome="succeeded"}',
      );
      return (count !== undefined && count.value > 0) || undefined;
    });
    const quantiles = await prometheus.query(
      'olm_resolution_duration_seconds{outcome="succeeded"}',
    );
    expect(quantiles.map(({ labels }) => labels['quantile'])).to.have.members([
      '0.9',
      '0.95',
      '0.99',
    ]);
  });

  it('can raise the alerts that OLM ships', async () => {
    const [alert] = await prometheus.query('last_over_time(csv_abnormal{phase="Failed"}[5m])');
    expect(alert?.labels).to.include({ name: 'dogs.v1' });
  });

  it('hears from promtool only what it thinks of OLM’s names', async () => {
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: await gate.metrics(),
      encoding: 'utf8',
    });
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '');
    const chosen = new Set<string>(Object.values(families).map(({ name }) => name));
    const others = lines.filter((line) => !chosen.has(line.split(' ')[0] ?? ''));
    expect(others).to.deep.equal([]);
    expect(lines.join()).to.include('csv_upgrade_count');
  });

  it('gets none of it with --olm-metrics off', async () => {
    const quiet = await startGate(folder, ['--state', folder, '--olm-metrics', 'off']);
    const text = await quiet.metrics();
    await quiet.stop();
    expect(text).to.include('olm_guard_build_info');
    expect(text).not.to.include('csv_count');
  });
});

const anOlmGroup: JsonObject = {
  apiVersion: 'operators.coreos.com/v1',
  ...makeGroup(),
};

function reviewOf(object: JsonObject): Buffer {
  const of = { group: 'operators.coreos.com', version: 'v1alpha1' };
  const request = {
    uid: '1',
    kind: { ...of, kind: 'Subscription' },
    resource: { ...of, resource: 'subscriptions' },
    name: 'queue',
    namespace: 'ns',
    operation: 'CREATE',
    object,
  };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  return Buffer.from(JSON.stringify(review));
}

function text({ labels }: Sample): string {
  return JSON.stringify(labels['name']);
}
