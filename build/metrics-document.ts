/** docs/metrics.md: what /metrics says, and where each number comes from. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry, type Gauge } from 'prom-client';
import { ruleNames } from '../src/checks/operations/rules.js';
import { followedResources } from '../src/cluster/olm-state/kinds.js';
import { sourceOfKind } from '../src/policy/switch-off.js';
import { families as checkFamilies } from '../src/rule/finding.js';
import {
  createGateMetrics,
  registerRegistration,
  registerScan,
  registerStaleness,
} from '../src/gate/metrics/own-metrics.js';
import { families } from '../src/gate/metrics/olm/families.js';
import { defaultPolicy } from '../src/policy/policy.js';
import { registerConflicts } from '../src/gate/metrics/conflicts.js';
import { FolderState } from '../src/cluster/olm-state/folder-state.js';
import { registerSwitchOffs } from '../src/gate/metrics/switch-offs.js';

const introduction = `# Metrics

Made from the code by \`npm run docs\`. \`serve\` exports them on the port of the probes. In parentheses: type, labels, and how many series a metric has at most in one replica; those of a counter appear with their first event.

## OLM's own

Names, types, labels and help are OLM's, so that dashboards and alerts for OLM keep working. If you scrape OLM itself, switch these off, because a sum over both would count everything twice: \`--olm-metrics off\`, or with Helm \`--set olmMetrics=false\`, which also leaves out the three alerts with OLM's names. The shipped alerts and the dashboard count each object once even so. Only the holder of the Lease \`olm-guard\` in namespace \`olm-guard\` exports these metrics; without that namespace or the right to it, all replicas do. Without \`--catalog\`, as shipped, there is no \`olm_resolution_duration_seconds\`.

The series of a deleted object disappear. OLM leaves series of \`csv_abnormal\` behind for states that it missed, and lets Subscriptions of the same name in two namespaces delete each other's \`subscription_sync_total\`; olm-guard does neither.
`;

const registration = readFileSync(
  join(import.meta.dirname, '..', 'manifests', 'base', 'validatingwebhookconfiguration.yaml'),
  'utf8',
);
const webhooks = [...registration.matchAll(/^ {2}- name: (\w+)[\w-]*\.olm-guard\.io$/gm)];

/** How many values each label of the gate's metrics can have. */
const valuesOf: Readonly<Record<string, number>> = {
  by: new Set([...sourceOfKind.values(), 'rukpak']).size,
  counts: 2,
  component: 1,
  decision: 6,
  family: checkFamilies.length,
  // The definition too, which is watched by itself.
  kind: followedResources.length + 1,
  node: 1,
  // CREATE, UPDATE, DELETE
  operation: 3,
  outcome: 2,
  // What reviews of unknown resources count as is one more.
  resource: new Set(webhooks.map(([, plural]) => plural)).size + 1,
  rule: ruleNames.size,
  severity: 3,
  version: 1,
  webhook: webhooks.length,
  // Where a metric has fewer.
  'olm_guard_conflicting_objects rule': 5,
  'olm_guard_findings_total decision': 4,
};

/** Of metrics of OLM, by their labels. */
function seriesOfOlm(labels: readonly string[], source: string): string {
  if (labels.length === 0) return '1';
  if (labels.includes('outcome')) return '10';
  return `one for each ${/(CatalogSource|ClusterServiceVersion|Subscription)/.exec(source)?.[1] ?? 'object'}`;
}

export async function metricsDocument(): Promise<string> {
  const olm = Object.values(families).map(({ name, type, labels, source }) =>
    line(name, type, labels, seriesOfOlm(labels, source), source),
  );
  return [
    introduction,
    `${olm.join('\n')}\n`,
    "## The gate's\n",
    `${(await gateLines()).join('\n')}\n`,
    'Beside these there are `process_*` and `nodejs_*`. `scan --watch` exports `olm_guard_scan_findings` and `olm_guard_view_staleness_seconds`.\n',
  ].join('\n');
}

function line(
  name: string,
  type: string,
  labels: readonly string[],
  series: string,
  says: string,
): string {
  const by = labels.length === 0 ? '' : ` by ${labels.join(', ')}`;
  return `- \`${name}\` (${type}${by}; ${series}): ${says}`;
}

async function gateLines(): Promise<string[]> {
  const registry = new Registry();
  createGateMetrics(registry, '');
  registerStaleness(registry, () => []);
  registerConflicts(registry, FolderState.of([]));
  registerSwitchOffs(registry, { objects: () => [], bypass: () => defaultPolicy.bypass });
  registerRegistration(registry);
  registerScan(registry);
  const described = await registry.getMetricsAsJSON();
  const metric = (name: string) =>
    registry.getSingleMetric(name) as unknown as Gauge & {
      labelNames?: readonly string[];
      upperBounds?: readonly number[];
    };
  return described
    .filter(({ name }) => name.startsWith('olm_guard_'))
    .map(({ name, type, help }) => {
      const { labelNames = [], upperBounds } = metric(name);
      // Each bucket, the infinite one, the sum and the count.
      const each = upperBounds === undefined ? 1 : upperBounds.length + 3;
      const series = labelNames.reduce((product, label) => {
        const values = valuesOf[`${name} ${label}`] ?? valuesOf[label];
        if (values === undefined) throw new Error(`${name}: how many values has label ${label}?`);
        return product * values;
      }, each);
      return line(name, String(type), labelNames, String(series), help);
    })
    .sort((a, b) => (a < b ? -1 : 1));
}
