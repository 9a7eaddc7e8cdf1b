import { expect } from 'chai';
import { Registry } from 'prom-client';
import { own, type JsonObject } from '../../src/text/documents/index.js';
import { families } from '../../src/gate/metrics/olm/families.js';
import { goExposition } from '../../src/gate/metrics/olm/go-exposition.js';
import { OlmMetrics } from '../../src/gate/metrics/olm/olm-metrics.js';
import { numberAt, objectAt, objectsAt, textAt } from '../../src/text/documents/fields.js';
import { goldenRows } from './golden.js';

/**
 * Where OLM's own series go stale or collide and ours do not. Each names its reason and finds its
 * rows by their events, so that a new row cannot hide behind an old exception.
 */
const exceptions: {
  reason: string;
  /** Only these may differ. */
  families: readonly string[];
  applies(events: readonly JsonObject[]): boolean;
}[] = [
  {
    reason: 'OLM missed a state of a ClusterServiceVersion and leaves its series behind',
    families: [families.csvAbnormal.name, families.csvSucceeded.name],
    applies: (events) => {
      const shown = new Map<string, string>();
      return events.some((event) => {
        if (!['csvTransition', 'csvDeleted'].includes(textAt(event, 'op') ?? '')) return false;
        const [old, next] = [objectAt(event, 'old'), objectAt(event, 'new')];
        if (old === undefined || textAt(next, 'Reason') === 'Copied') return false;
        const key = csvKey(old);
        const last = shown.get(key);
        shown.set(key, csvText(next ?? {}));
        return last !== undefined && last !== csvText(old);
      });
    },
  },
  {
    reason: 'OLM knows Subscriptions by name only: those of two namespaces delete each other',
    families: [families.subscriptionSyncs.name],
    applies: (events) => {
      const namespaces = new Map<string, string | undefined>();
      const isShared = events.some((event) => {
        const name = textAt(event, 'sub', 'Name');
        if (name === undefined) return false;
        const namespace = textAt(event, 'sub', 'Namespace');
        if (namespaces.has(name) && namespaces.get(name) !== namespace) return true;
        namespaces.set(name, namespace);
        return false;
      });
      return isShared && events.some((event) => textAt(event, 'op') !== 'subSynced');
    },
  },
  {
    reason: 'OLM missed an update of a Subscription and leaves its series behind',
    families: [families.subscriptionSyncs.name],
    applies: (events) => {
      const last = new Map<string, string>();
      return events.some((event) => {
        const sub = objectAt(event, 'sub');
        if (sub === undefined) return false;
        const key = `${textAt(sub, 'Namespace') ?? ''}/${textAt(sub, 'Name') ?? ''}`;
        const text = JSON.stringify(sub);
        const before = last.get(key);
        last.set(key, text);
        return textAt(event, 'op') !== 'subUpdated' && before !== undefined && before !== text;
      });
    },
  },
];

function csvKey(csv: JsonObject): string {
  return `${textAt(csv, 'Namespace') ?? ''}/${textAt(csv, 'Name') ?? ''}`;
}

function csvText(csv: JsonObject): string {
  return ['Version', 'Phase', 'Reason'].map((field) => textAt(csv, field) ?? '').join('\n');
}

function apply(metrics: OlmMetrics, event: JsonObject): void {
  const [namespace, name] = [textAt(event, 'namespace') ?? '', textAt(event, 'name') ?? ''];
  const seconds = numberAt(event, 'seconds') ?? 0;
  switch (textAt(event, 'op')) {
    case 'csvTransition': {
      const csv = objectAt(event, 'new');
      if (csv === undefined || objectAt(event, 'old') === undefined) return;
      const field = (key: string) => textAt(csv, key) ?? '';
      metrics.csvChanged({
        namespace: field('Namespace'),
        name: field('Name'),
        version: field('Version'),
        phase: field('Phase'),
        reason: field('Reason'),
      });
      return;
    }
    case 'csvDeleted':
      metrics.csvDeleted(
        textAt(event, 'old', 'Namespace') ?? '',
        textAt(event, 'old', 'Name') ?? '',
      );
      return;
    case 'csvUpgrade':
      metrics.csvUpgraded();
      return;
    case 'catalogState':
      metrics.catalogStateChanged(namespace, name, textAt(event, 'state') ?? '');
      return;
    case 'catalogDeleted':
      metrics.catalogDeleted(namespace, name);
      return;
    case 'snapshot':
      metrics.catalogSnapshotTaken(namespace, name);
      return;
    case 'resolutionSucceeded':
      metrics.resolved('succeeded', seconds);
      return;
    case 'resolutionFailed':
      metrics.resolved('failed', seconds);
      return;
    case 'installPlanWarning':
      metrics.installPlanStepWarned();
      return;
    default:
      applySubscription(metrics, event);
  }
}

function applySubscription(metrics: OlmMetrics, event: JsonObject): void {
  const sub = objectAt(event, 'sub');
  // OLM says nothing about a Subscription without a spec.
  if (sub === undefined || own(sub, 'Channel') === undefined) return;
  const field = (key: string) => textAt(sub, key) ?? '';
  const labels = {
    approval: field('Approval'),
    channel: field('Channel'),
    installed: field('InstalledCSV'),
    name: field('Name'),
    package: field('Package'),
  };
  switch (textAt(event, 'op')) {
    case 'subSynced':
      return metrics.subscriptionSynced(field('Namespace'), labels);
    case 'subUpdated':
      return metrics.subscriptionUpdated(field('Namespace'), labels);
    case 'subDeleted':
      return metrics.subscriptionDeleted(field('Namespace'), labels.name);
    default:
      throw new Error(`unknown event ${JSON.stringify(event)}`);
  }
}

function without(names: readonly string[], text: string): string {
  const isNamed = (line: string) =>
    names.some((name) => new RegExp(`(^|[#A-Z] )${name}\\b`).test(line));
  return text
    .split('\n')
    .filter((line) => !isNamed(line))
    .join('\n');
}

describe('golden: metrics', () => {
  for (const row of goldenRows('metrics')) {
    const events = objectsAt(row, 'input', 'events');
    const exception = exceptions.find((known) => known.applies(events));
    it(`${row.id}${exception === undefined ? '' : ` (differs: ${exception.reason})`}`, async () => {
      const registry = new Registry();
      const metrics = new OlmMetrics(registry, () => 0);
      for (const event of events) apply(metrics, event);
      const text = await goExposition(registry);
      const expected = textAt(row, 'expect', 'exposition') ?? '';
      if (exception === undefined) expect(text).to.equal(expected);
      else
        expect(without(exception.families, text)).to.equal(without(exception.families, expected));
    });
  }

  it("has the names, types, labels and help of OLM's metrics", () => {
    const expected = goldenRows('olm-metrics').map((metric) => ({
      name: textAt(metric, 'name'),
      type: textAt(metric, 'type'),
      labels: (own(metric, 'labels') as string[]).toSorted(),
      help: textAt(metric, 'help'),
    }));
    const ours = Object.values(families).map(({ name, type, labels, help }) => ({
      name,
      type,
      labels,
      help,
    }));
    expect(ours).to.have.deep.members(expected);
  });
});
