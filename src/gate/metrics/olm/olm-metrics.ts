import { Counter, Gauge, type Registry } from 'prom-client';
import { families, type MetricFamily } from './families.js';
import { type Outcome, ResolutionSummary } from './resolution-summary.js';

export interface CsvState {
  readonly namespace: string;
  readonly name: string;
  /** `""` shows as OLM's zero version, 0.0.0. */
  readonly version: string;
  readonly phase: string;
  readonly reason: string;
}

export interface SubscriptionLabels {
  readonly approval: string;
  readonly channel: string;
  readonly installed: string;
  readonly name: string;
  readonly package: string;
}

/** A series of `subscription_sync_total`. */
interface Series {
  readonly labels: SubscriptionLabels;
  /** The Subscriptions, by namespace, that these labels describe now. */
  readonly owners: Set<string>;
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
  private readonly succeeded: Gauge<'namespace' | 'name' | 'version'>;
  private readonly abnormal: Gauge<'namespace' | 'name' | 'version' | 'phase' | 'reason'>;
  /** For each ClusterServiceVersion, the removal of the series that it has now. */
  private readonly csvs = new Map<string, () => void>();
  private readonly syncs: Counter<keyof SubscriptionLabels>;
  private readonly bySubscription = new Map<string, Series>();
  private readonly byLabels = new Map<string, Series>();
  private readonly resolutions: ResolutionSummary;

  /** @param now milliseconds; the summary's quantiles look ten minutes back by it */
  constructor(registry: Registry, now: () => number) {
    const options = <Label extends string>({ name, help, labels }: MetricFamily<Label>) => ({
      ...{ name, help, labelNames: labels, registers: [registry] },
    });
    this.counts = {
      clusterServiceVersions: new Gauge(options(families.csvCount)),
      installPlans: new Gauge(options(families.installPlanCount)),
      subscriptions: new Gauge(options(families.subscriptionCount)),
      catalogSources: new Gauge(options(families.catalogSourceCount)),
    };
    this.upgrades = new Counter(options(families.csvUpgrades));
    this.warnings = new Counter(options(families.installPlanWarnings));
    this.ready = new Gauge(options(families.catalogSourceReady));
    this.snapshots = new Counter(options(families.catalogSourceSnapshots));
    this.succeeded = new Gauge(options(families.csvSucceeded));
    this.abnormal = new Gauge(options(families.csvAbnormal));
    this.syncs = new Counter(options(families.subscriptionSyncs));
    this.resolutions = new ResolutionSummary(registry, now);
  }

  setCounts(counts: ObjectCounts): void {
    for (const [kind, gauge] of Object.entries(this.counts)) {
      gauge.set(counts[kind as keyof ObjectCounts]);
    }
  }

  /** OLM takes old labels from the object it saw before, and leaves series behind; here they are replaced. */
  csvChanged({ namespace, name, version, phase, reason }: CsvState): void {
    if (reason === 'Copied') return;
    this.csvDeleted(namespace, name);
    const labels = { namespace, name, version: version === '' ? '0.0.0' : version };
    const hasSucceeded = phase === 'Succeeded';
    const abnormal = { ...labels, phase, reason };
    this.succeeded.set(labels, hasSucceeded ? 1 : 0);
    if (!hasSucceeded) this.abnormal.set(abnormal, 1);
    this.csvs.set(`${namespace}/${name}`, () => {
      this.succeeded.remove(labels);
      if (!hasSucceeded) this.abnormal.remove(abnormal);
    });
  }

  csvDeleted(namespace: string, name: string): void {
    this.csvs.get(`${namespace}/${name}`)?.();
    this.csvs.delete(`${namespace}/${name}`);
  }

  /** A ClusterServiceVersion entered phase Replacing. */
  csvUpgraded(): void {
    this.upgrades.inc();
  }

  /**
   * The labels lack the namespace, so Subscriptions of one name can share a series: it counts them together and
   * goes with the last of them. OLM remembers by name alone and lets such Subscriptions delete each other's series.
   */
  subscriptionSynced(namespace: string, labels: SubscriptionLabels): void {
    this.subscriptionUpdated(namespace, labels);
    const series = this.byLabels.get(textOf(labels)) ?? { labels, owners: new Set() };
    this.byLabels.set(textOf(labels), series);
    series.owners.add(namespace);
    this.bySubscription.set(`${namespace}/${labels.name}`, series);
    this.syncs.inc({ ...labels });
  }

  /** Drops the series of former labels; the next sync starts that of the new ones. */
  subscriptionUpdated(namespace: string, labels: SubscriptionLabels): void {
    const current = this.bySubscription.get(`${namespace}/${labels.name}`);
    if (current !== undefined && textOf(current.labels) !== textOf(labels)) {
      this.subscriptionDeleted(namespace, labels.name);
    }
  }

  subscriptionDeleted(namespace: string, name: string): void {
    const series = this.bySubscription.get(`${namespace}/${name}`);
    this.bySubscription.delete(`${namespace}/${name}`);
    series?.owners.delete(namespace);
    if (series?.owners.size !== 0) return;
    this.byLabels.delete(textOf(series.labels));
    this.syncs.remove({ ...series.labels });
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

function textOf({ approval, channel, installed, name, package: pkg }: SubscriptionLabels): string {
  return JSON.stringify([approval, channel, installed, name, pkg]);
}
