import { expect } from 'chai';
import { Registry } from 'prom-client';
import { families } from './families.js';
import { goExposition } from './go-exposition.js';
import { OlmMetrics } from './olm-metrics.js';

const csv = { namespace: 'ns', name: 'cats.v1', version: '1.0.0', phase: 'Pending', reason: 'R' };
const sub = {
  approval: 'Automatic',
  channel: 'stable',
  installed: 'cats.v1',
  name: 's',
  package: 'cats',
};

/** The series that are not plain zeros, without comments. */
async function series(drive: (metrics: OlmMetrics) => void): Promise<string[]> {
  const registry = new Registry();
  drive(new OlmMetrics(registry, () => 0));
  const lines = (await goExposition(registry)).split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#') && !/^\w+ 0$/.test(line));
}

describe('OlmMetrics', () => {
  it('registers twelve families and shows the plain ones as 0', async () => {
    const registry = new Registry();
    new OlmMetrics(registry, () => 0);
    const names = Object.values(families).map((family) => family.name);
    expect(registry.getMetricsAsArray().map((metric) => metric.name)).to.have.members(names);
    expect(
      (await goExposition(registry)).split('\n').filter((line) => / 0$/.test(line)),
    ).to.deep.equal([
      'catalog_source_count 0',
      'csv_count 0',
      'csv_upgrade_count 0',
      'install_plan_count 0',
      'installplan_warnings_total 0',
      'subscription_count 0',
    ]);
  });

  const abnormal =
    'csv_abnormal{name="cats.v1",namespace="ns",phase="Pending",reason="R",version="1.0.0"} 1';
  const succeeded = 'csv_succeeded{name="cats.v1",namespace="ns",version="1.0.0"}';
  const synced = (channel: string) =>
    `subscription_sync_total{approval="Automatic",channel="${channel}",installed="cats.v1",name="s",package="cats"}`;
  const catalog = '{name="c",namespace="olm"}';

  const rows: [rule: string, drive: (metrics: OlmMetrics) => void, expected: string[]][] = [
    ['a CSV that is not installed', (m) => m.csvChanged(csv), [abnormal, `${succeeded} 0`]],
    [
      'a CSV that succeeds',
      (m) => {
        m.csvChanged(csv);
        m.csvChanged({ ...csv, phase: 'Succeeded' });
      },
      [`${succeeded} 1`],
    ],
    [
      'a missed state leaves nothing behind',
      (m) => {
        m.csvChanged({ ...csv, phase: 'Failed', reason: 'X' });
        m.csvChanged(csv);
      },
      [abnormal, `${succeeded} 0`],
    ],
    [
      'another version leaves nothing behind',
      (m) => {
        m.csvChanged({ ...csv, version: '0.9.0' });
        m.csvChanged(csv);
      },
      [abnormal, `${succeeded} 0`],
    ],
    [
      'no version is 0.0.0',
      (m) => m.csvChanged({ ...csv, version: '', phase: 'Succeeded' }),
      ['csv_succeeded{name="cats.v1",namespace="ns",version="0.0.0"} 1'],
    ],
    ['copies show nothing', (m) => m.csvChanged({ ...csv, reason: 'Copied' }), []],
    [
      'a deleted CSV vanishes',
      (m) => {
        m.csvChanged(csv);
        m.csvDeleted('ns', 'cats.v1');
        m.csvDeleted('ns', 'unknown');
      },
      [],
    ],
    [
      'upgrades and warnings count',
      (m) => (m.csvUpgraded(), m.installPlanStepWarned()),
      ['csv_upgrade_count 1', 'installplan_warnings_total 1'],
    ],
    [
      'syncs count per labels',
      (m) => {
        m.subscriptionSynced('ns', sub);
        m.subscriptionUpdated('ns', sub);
        m.subscriptionSynced('ns', sub);
      },
      [`${synced('stable')} 2`],
    ],
    [
      'changed labels drop the old series and count anew',
      (m) => {
        m.subscriptionSynced('ns', sub);
        m.subscriptionUpdated('ns', { ...sub, channel: 'beta' });
        m.subscriptionSynced('ns', { ...sub, channel: 'beta' });
      },
      [`${synced('beta')} 1`],
    ],
    [
      'a missed update drops the old series too',
      (m) => {
        m.subscriptionSynced('ns', sub);
        m.subscriptionSynced('ns', { ...sub, channel: 'beta' });
      },
      [`${synced('beta')} 1`],
    ],
    [
      'Subscriptions of one name share a series until the last is gone',
      (m) => {
        m.subscriptionSynced('a', sub);
        m.subscriptionSynced('b', sub);
        m.subscriptionDeleted('a', 's');
        m.subscriptionDeleted('a', 's');
      },
      [`${synced('stable')} 2`],
    ],
    [
      'and do not delete each other',
      (m) => {
        m.subscriptionSynced('a', sub);
        m.subscriptionSynced('b', { ...sub, channel: 'beta' });
        m.subscriptionUpdated('b', { ...sub, channel: 'beta' });
        m.subscriptionDeleted('b', 's');
      },
      [`${synced('stable')} 1`],
    ],
    [
      'a series starts again after the last is gone',
      (m) => {
        m.subscriptionSynced('a', sub);
        m.subscriptionSynced('a', sub);
        m.subscriptionDeleted('a', 's');
        m.subscriptionSynced('a', sub);
      },
      [`${synced('stable')} 1`],
    ],
    [
      'a catalog that is ready',
      (m) => m.catalogStateChanged('olm', 'c', 'READY'),
      [`catalog_source_snapshots_total${catalog} 0`, `catalogsource_ready${catalog} 1`],
    ],
    [
      'a catalog that is lost, with snapshots',
      (m) => {
        m.catalogStateChanged('olm', 'c', 'READY');
        m.catalogSnapshotTaken('olm', 'c');
        m.catalogStateChanged('olm', 'c', 'TRANSIENT_FAILURE');
      },
      [`catalog_source_snapshots_total${catalog} 1`, `catalogsource_ready${catalog} 0`],
    ],
    [
      'a deleted catalog vanishes',
      (m) => {
        m.catalogStateChanged('olm', 'c', 'READY');
        m.catalogDeleted('olm', 'c');
      },
      [],
    ],
    [
      'resolutions: quantiles, sum and count per outcome',
      (m) => {
        m.resolved('succeeded', 0.5);
        m.resolved('succeeded', 0.25);
        m.resolved('failed', 2);
      },
      [
        ...['0.9', '0.95', '0.99'].map(
          (q) => `olm_resolution_duration_seconds{outcome="failed",quantile="${q}"} 2`,
        ),
        'olm_resolution_duration_seconds_sum{outcome="failed"} 2',
        'olm_resolution_duration_seconds_count{outcome="failed"} 1',
        ...['0.9', '0.95', '0.99'].map(
          (q) => `olm_resolution_duration_seconds{outcome="succeeded",quantile="${q}"} 0.5`,
        ),
        'olm_resolution_duration_seconds_sum{outcome="succeeded"} 0.75',
        'olm_resolution_duration_seconds_count{outcome="succeeded"} 2',
      ],
    ],
    [
      'counts are set',
      (m) =>
        m.setCounts({
          clusterServiceVersions: 1,
          installPlans: 2,
          subscriptions: 3,
          catalogSources: 4,
        }),
      ['catalog_source_count 4', 'csv_count 1', 'install_plan_count 2', 'subscription_count 3'],
    ],
  ];
  for (const [rule, drive, expected] of rows) {
    it(rule, async () => expect(await series(drive)).to.deep.equal(expected));
  }
});
