import { Gauge, type Registry, Counter } from 'prom-client';
import { families, type MetricFamily } from './families.js';
import { ResolutionSummary, type Outcome } from './resolution-summary.js';

export interface CsvState {
  readonly namespace: string;
  readonly name: string;
  /** `""` shows as OLM's zero version, 0.0.0. */
  readonly version: string;
  readonly phase: string;
  readonly reason: string;
}

interface Shown {
  readonly succeeded: {
    readonly namespace: string;
    readonly name: string;
    readonly version: string;
  };
  readonly abnormal:
    (Shown['succeeded'] & { readonly phase: string; readonly reason: string }) | null;
}

/** OLM takes old labels from the object it saw before, and leaves series behind; here they are replaced. */
export class CsvStates {
  private readonly succeeded: Gauge<'namespace' | 'name' | 'version'>;
  private readonly abnormal: Gauge<'namespace' | 'name' | 'version' | 'phase' | 'reason'>;
  private readonly shown = new Map<string, Shown>();

  constructor(registry: Registry) {
    const { csvSucceeded, csvAbnormal } = families;
    this.succeeded = new Gauge({
      name: csvSucceeded.name,
      help: csvSucceeded.help,
      labelNames: csvSucceeded.labels,
      registers: [registry],
    });
    this.abnormal = new Gauge({
      name: csvAbnormal.name,
      help: csvAbnormal.help,
      labelNames: csvAbnormal.labels,
      registers: [registry],
    });
  }

  set({ namespace, name, version, phase, reason }: CsvState): void {
    if (reason === 'Copied') return;
    this.delete(namespace, name);
    const labels = { namespace, name, version: version === '' ? '0.0.0' : version };
    const hasSucceeded = phase === 'Succeeded';
    const shown = {
      succeeded: labels,
      abnormal: hasSucceeded ? null : { ...labels, phase, reason },
    };
    this.shown.set(`${namespace}/${name}`, shown);
    this.succeeded.set(labels, hasSucceeded ? 1 : 0);
    if (shown.abnormal !== null) this.abnormal.set(shown.abnormal, 1);
  }

  delete(namespace: string, name: string): void {
    const shown = this.shown.get(`${namespace}/${name}`);
    if (shown === undefined) return;
    this.shown.delete(`${namespace}/${name}`);
    this.succeeded.remove(shown.succeeded);
    if (shown.abnormal !== null) this.abnormal.remove(shown.abnormal);
  }
}

export interface SubscriptionLabels {
  readonly approval: string;
  readonly channel: string;
  readonly installed: string;
  readonly name: string;
  readonly package: string;
}

interface Series {
  readonly labels: SubscriptionLabels;
  /** The Subscriptions, by namespace, that these labels describe now. */
  readonly owners: Set<string>;
}

const { name, help, labels } = families.subscriptionSyncs;

/**
 * `subscription_sync_total`. The labels lack the namespace, so Subscriptions of one name can share a
 * series: it counts them together and goes with the last of them. OLM remembers by name alone and
 * lets such Subscriptions delete each other's series.
 */
export class SubscriptionSyncs {
  private readonly counter: Counter<(typeof labels)[number]>;
  private readonly bySubscription = new Map<string, Series>();
  private readonly byLabels = new Map<string, Series>();

  constructor(registry: Registry) {
    this.counter = new Counter({ name, help, labelNames: labels, registers: [registry] });
  }

  synced(namespace: string, subscription: SubscriptionLabels): void {
    this.updated(namespace, subscription);
    const series = this.seriesOf(subscription);
    series.owners.add(namespace);
    this.bySubscription.set(keyOf(namespace, subscription.name), series);
    this.counter.inc({ ...subscription });
  }

  /** Drops the series of former labels; the next sync starts that of the new ones. */
  updated(namespace: string, subscription: SubscriptionLabels): void {
    const current = this.bySubscription.get(keyOf(namespace, subscription.name));
    if (current !== undefined && textOf(current.labels) !== textOf(subscription)) {
      this.deleted(namespace, subscription.name);
    }
  }

  deleted(namespace: string, subscription: string): void {
    const key = keyOf(namespace, subscription);
    const series = this.bySubscription.get(key);
    this.bySubscription.delete(key);
    series?.owners.delete(namespace);
    if (series?.owners.size !== 0) return;
    this.byLabels.delete(textOf(series.labels));
    this.counter.remove({ ...series.labels });
  }

  private seriesOf(subscription: SubscriptionLabels): Series {
    const text = textOf(subscription);
    let series = this.byLabels.get(text);
    if (series === undefined) {
      series = { labels: subscription, owners: new Set() };
      this.byLabels.set(text, series);
    }
    return series;
  }
}

function keyOf(namespace: string, subscription: string): string {
  return `${namespace}/${subscription}`;
}

function textOf({ approval, channel, installed, name, package: pkg }: SubscriptionLabels): string {
  return JSON.stringify([approval, channel, installed, name, pkg]);
}

export interface ObjectCounts {
  readonly clusterServiceVersions: number;
  readonly installPlans: number;
  readonly subscriptions: number;
  readonly catalogSources: number;
}

/** Counters are there from the start with 0, series with the first event; a deleted object's vanish. */
export class OlmMetrics {
  private readonly counts: Readonly<Record<keyof ObjectCounts, Gauge>>;
  private readonly upgrades: Counter;
  private readonly warnings: Counter;
  private readonly ready: Gauge<'name' | 'namespace'>;
  private readonly snapshots: Counter<'name' | 'namespace'>;
  private readonly csvStates: CsvStates;
  private readonly syncs: SubscriptionSyncs;
  private readonly resolutions: ResolutionSummary;

  /** @param now milliseconds; the summary's quantiles look ten minutes back by it */
  constructor(registry: Registry, now: () => number) {
    const registers = [registry];
    const named = ({ name, help }: MetricFamily) => ({ name, help, registers });
    this.counts = {
      clusterServiceVersions: new Gauge(named(families.csvCount)),
      installPlans: new Gauge(named(families.installPlanCount)),
      subscriptions: new Gauge(named(families.subscriptionCount)),
      catalogSources: new Gauge(named(families.catalogSourceCount)),
    };
    this.upgrades = new Counter(named(families.csvUpgrades));
    this.warnings = new Counter(named(families.installPlanWarnings));
    const { catalogSourceReady, catalogSourceSnapshots } = families;
    this.ready = new Gauge({ ...named(catalogSourceReady), labelNames: catalogSourceReady.labels });
    this.snapshots = new Counter({
      ...named(catalogSourceSnapshots),
      labelNames: catalogSourceSnapshots.labels,
    });
    this.csvStates = new CsvStates(registry);
    this.syncs = new SubscriptionSyncs(registry);
    this.resolutions = new ResolutionSummary(registry, now);
  }

  setCounts(counts: ObjectCounts): void {
    this.counts.clusterServiceVersions.set(counts.clusterServiceVersions);
    this.counts.installPlans.set(counts.installPlans);
    this.counts.subscriptions.set(counts.subscriptions);
    this.counts.catalogSources.set(counts.catalogSources);
  }

  csvChanged(state: CsvState): void {
    this.csvStates.set(state);
  }

  csvDeleted(namespace: string, name: string): void {
    this.csvStates.delete(namespace, name);
  }

  /** A ClusterServiceVersion entered phase Replacing. */
  csvUpgraded(): void {
    this.upgrades.inc();
  }

  subscriptionSynced(namespace: string, labels: SubscriptionLabels): void {
    this.syncs.synced(namespace, labels);
  }

  subscriptionUpdated(namespace: string, labels: SubscriptionLabels): void {
    this.syncs.updated(namespace, labels);
  }

  subscriptionDeleted(namespace: string, name: string): void {
    this.syncs.deleted(namespace, name);
  }

  /** @param state the gRPC connection state; only `READY` counts as ready */
  catalogStateChanged(namespace: string, name: string, state: string): void {
    this.ready.set({ name, namespace }, state === 'READY' ? 1 : 0);
    this.snapshots.inc({ name, namespace }, 0);
  }

  catalogSnapshotTaken(namespace: string, name: string): void {
    this.snapshots.inc({ name, namespace });
  }

  catalogDeleted(namespace: string, name: string): void {
    this.ready.remove({ name, namespace });
    this.snapshots.remove({ name, namespace });
  }

  resolved(outcome: Outcome, seconds: number): void {
    this.resolutions.record(outcome, seconds);
  }

  /** A step of an InstallPlan met at least one warning. */
  installPlanStepWarned(): void {
    this.warnings.inc();
  }
}
