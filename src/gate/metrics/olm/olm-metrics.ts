import { Counter, Gauge, type Registry } from 'prom-client';
import { CsvStates, type CsvState } from './csv-states.js';
import { families, type MetricFamily } from './families.js';
import { ResolutionSummary, type Outcome } from './resolution-summary.js';
import { SubscriptionSyncs, type SubscriptionLabels } from './subscription-syncs.js';

export interface ObjectCounts {
  readonly clusterServiceVersions: number;
  readonly installPlans: number;
  readonly subscriptions: number;
  readonly catalogSources: number;
}

/**
 * OLM's metrics, in a registry of the caller's choice. Counts and plain counters are there from the
 * start with 0, labelled series with the first event about them. A deleted object's series vanish.
 */
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
