/** docs/metrics.md: what /metrics says, and where each number comes from. */
import { Registry, type Gauge } from 'prom-client';
import { createGateMetrics } from '../src/gate/metrics/gate.js';
import { families } from '../src/gate/metrics/olm/families.js';
import { registerRegistration } from '../src/gate/metrics/registration.js';
import { registerScan } from '../src/gate/metrics/scan.js';
import { defaultPolicy } from '../src/policy/policy.js';
import { registerConflicts } from '../src/gate/metrics/conflicts.js';
import { FolderState } from '../src/cluster/olm-state/folder-state.js';
import { registerSwitchOffs } from '../src/gate/metrics/switch-offs.js';
import { registerStaleness } from '../src/gate/metrics/view.js';
import { table } from './rules-document.js';

const introduction = `# Metrics

Made from the code by \`npm run docs\`. \`serve\` exports them on the port of the probes.

## OLM's own

Names, types, labels and help are OLM's, so that dashboards and alerts for OLM keep working. The values come from what the gate sees of the cluster. If you scrape OLM itself, switch these off, because a sum over both would count everything twice: \`--olm-metrics off\`, or with Helm \`--set olmMetrics=false\`, which also leaves out the three alerts with OLM's names. The shipped alerts and the dashboard count each object once even if both are scraped. Only one replica exports these metrics: the holder of the Lease \`olm-guard\` in namespace \`olm-guard\`; if that namespace or the right to it is missing, all replicas do.

The series of a deleted object disappear. OLM leaves series of \`csv_abnormal\` behind for states that it missed, and lets Subscriptions of the same name in two namespaces delete each other's \`subscription_sync_total\`; olm-guard does neither.
`;

export async function metricsDocument(): Promise<string> {
  const olm = Object.values(families).map(({ name, type, labels, source }) => [
    `\`${name}\``,
    type,
    labels.join(', '),
    source,
  ]);
  return [
    introduction,
    table(['Metric', 'Type', 'Labels', 'Source'], olm),
    "## The gate's\n",
    table(['Metric', 'Type', 'Labels', 'Help'], await gateRows()),
    'Beside these there are `process_*` and `nodejs_*`, as prom-client has them. `scan --watch` exports `olm_guard_scan_findings` and `olm_guard_view_staleness_seconds`.\n',
  ].join('\n');
}

async function gateRows(): Promise<string[][]> {
  const registry = new Registry();
  createGateMetrics(registry, '');
  registerStaleness(registry, () => []);
  registerConflicts(registry, FolderState.of([]));
  registerSwitchOffs(registry, { objects: () => [], bypass: () => defaultPolicy.bypass });
  registerRegistration(registry);
  registerScan(registry);
  const described = await registry.getMetricsAsJSON();
  const labels = (name: string): string => {
    const metric = registry.getSingleMetric(name) as unknown as Gauge & {
      labelNames?: readonly string[];
    };
    return (metric.labelNames ?? []).join(', ');
  };
  return described
    .filter(({ name }) => name.startsWith('olm_guard_'))
    .map(({ name, type, help }) => [`\`${name}\``, String(type), labels(name), help])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
