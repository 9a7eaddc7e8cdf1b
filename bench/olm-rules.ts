/**
 * What one OperatorGroup review costs in rules and look-ups, against how many groups there are that
 * share no namespace with it. Every group has two ClusterServiceVersions of 20 KB that provide the
 * same APIs, as one operator for each tenant does. Run: npx tsx bench/olm-rules.ts
 */
import type { JsonObject } from '../src/text/documents/index.js';
import { IndexedView } from '../src/olm/objects/indexed-view.js';
import { RuleContext } from '../src/olm/rules/objects/rule.js';
import { runOlmRules } from '../src/olm/rules/objects/testing/run-rules.js';

const limitMilliseconds = 5;
const reviews = 2_000;

function tenant(index: number): JsonObject[] {
  const namespace = `tenant-${index}`;
  return [
    ...[0, 1, 2, 3, 4].map((n) => ({
      kind: 'Namespace',
      metadata: {
        name: n === 0 ? namespace : `${namespace}-${n}`,
        labels: { tenant: String(index) },
      },
    })),
    group(index, `${namespace}-1`),
    ...['a', 'b'].map((name) => ({
      kind: 'ClusterServiceVersion',
      metadata: { name: `${name}.v1`, namespace },
      spec: {
        description: 'x'.repeat(20_000),
        installModes: [
          { type: 'SingleNamespace', supported: true },
          { type: 'MultiNamespace', supported: true },
        ],
        customresourcedefinitions: {
          owned: [{ name: `${name}s.pets`, version: 'v1', kind: name.toUpperCase() }],
        },
      },
      status: { phase: 'Succeeded' },
    })),
  ];
}

function group(index: number, target: string): JsonObject {
  return {
    kind: 'OperatorGroup',
    metadata: {
      name: 'group',
      namespace: `tenant-${index}`,
      annotations: { 'olm.providedAPIs': 'A.v1.pets,B.v1.pets' },
    },
    spec: { targetNamespaces: [target] },
    status: { namespaces: [target] },
  };
}

interface Measured {
  readonly load: number;
  readonly p50: number;
  readonly p99: number;
}

/** Times are of the processor: other work on the machine does not count. */
function measure(groups: number, spec: (index: number) => JsonObject, reviews: number): Measured {
  const start = process.cpuUsage();
  const view = new IndexedView({ globalCatalogNamespace: 'olm', kubernetesVersion: 'v1.30.0' });
  for (let index = 0; index < groups; index += 1)
    for (const object of tenant(index)) view.set(object);
  const load = milliseconds(start);
  const times: number[] = [];
  for (let review = 0; review < reviews; review += 1) {
    const index = review % groups;
    const oldObject = group(index, `tenant-${index}-1`);
    const object = { ...oldObject, spec: spec(index) };
    const begin = process.cpuUsage();
    const asked = { request: 'UPDATE', object, oldObject, view, crdSafety: () => [] } as const;
    runOlmRules('OperatorGroup', new RuleContext(asked));
    times.push(milliseconds(begin));
  }
  times.sort((a, b) => a - b);
  return { load, p50: times[reviews / 2] ?? 0, p99: times[Math.floor(reviews * 0.99)] ?? 0 };
}

function milliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

const byName = (index: number) => ({ targetNamespaces: [`tenant-${index}-2`] });
const bySelector = (index: number) => ({ selector: { matchLabels: { tenant: String(index) } } });

measure(10, byName, reviews);
let least = Infinity;
for (const groups of [10, 100, 1_000, 10_000]) {
  const { load, p50, p99 } = measure(groups, byName, reviews);
  least = Math.min(least, p50);
  const ratio = (p50 / least).toFixed(1);
  console.log(
    `${groups} groups: loaded in ${load.toFixed(0)} ms, review p50 ${p50.toFixed(3)} ms (${ratio} × the smallest), ${share(p99)}`,
  );
}
const selected = measure(1_000, bySelector, 200);
console.log(
  `1000 groups, by selector over 5000 namespaces: p50 ${selected.p50.toFixed(3)} ms, ${share(selected.p99)}`,
);

function share(p99: number): string {
  return `p99 ${p99.toFixed(3)} ms (${((100 * p99) / limitMilliseconds).toFixed(0)} % of ${limitMilliseconds} ms)`;
}
