/** The monitors of manifests/ and of the chart, scraped as the Prometheus Operator has them scraped. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { aCsv } from '../../src/olm/rules/objects/testing/harness.js';
import { startGate, type TestGate } from '../apiserver/gate.js';
import { until } from '../apiserver/processes.js';
import {
  fastGroups,
  monitoringOfChart,
  monitoringOfManifests,
  scrapeConfig,
  type Monitoring,
} from './operator.js';
import { startPrometheus, type TestPrometheus } from './prometheus.js';

const failed = (namespace: string): string =>
  JSON.stringify({
    apiVersion: 'operators.coreos.com/v1alpha1',
    ...aCsv({
      name: 'reports.v1.0.0',
      namespace,
      spec: { version: '1.0.0' },
      status: { phase: 'Failed', reason: 'InstallFailed' },
    }),
  });

const monitors: [what: string, render: () => Promise<Monitoring>][] = [
  ['the ServiceMonitor of manifests/', monitoringOfManifests],
  ['the ServiceMonitor of the chart', monitoringOfChart],
];

for (const [what, render] of monitors) {
  describe(`a gate scraped by ${what}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'olm-guard-monitor-'));
    let gate: TestGate;
    let prometheus: TestPrometheus;

    before(async () => {
      writeFileSync(join(folder, 'a.yaml'), failed('billing'));
      writeFileSync(join(folder, 'b.yaml'), failed('sales'));
      gate = await startGate(folder, ['--state', folder]);
      const monitoring = await render();
      prometheus = await startPrometheus(
        [scrapeConfig(monitoring, new URL(gate.metricsUrl).host, 'olm-guard-0')],
        fastGroups(monitoring.groups),
      );
    });
    after(async () => {
      await prometheus?.stop();
      await gate?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('names the namespace of each ClusterServiceVersion, also of two with one name', async () => {
      const summaries = await until('both to be told', async () => {
        const alerts = await prometheus.firing();
        const found = alerts
          .filter(({ labels }) => labels['alertname'] === 'CsvAbnormalFailedOver2Min')
          .map(({ annotations }) => [annotations['summary'], annotations['command']]);
        return found.length === 2 ? found.sort() : undefined;
      });
      expect(summaries).to.deep.equal([
        [
          'reports.v1.0.0 in billing has failed: InstallFailed',
          'kubectl -n billing describe csv reports.v1.0.0',
        ],
        [
          'reports.v1.0.0 in sales has failed: InstallFailed',
          'kubectl -n sales describe csv reports.v1.0.0',
        ],
      ]);
      const firing = (await prometheus.firing()).map(({ labels }) => labels['alertname']);
      expect(new Set(firing)).to.deep.equal(new Set(['CsvAbnormalFailedOver2Min']));
    });

    it('gives the metrics of the gate its own namespace and pod', async () => {
      const [build] = await prometheus.query('olm_guard_build_info');
      expect(build?.labels).to.include({
        namespace: 'olm-guard',
        pod: 'olm-guard-0',
        component: 'gate',
      });
    });
  });
}
