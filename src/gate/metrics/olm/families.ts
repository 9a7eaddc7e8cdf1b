/** OLM's metrics as OpenShift's documentation lists them, with today's `catalog_source_snapshots_total`: names, labels and help are OLM's. */

export interface MetricFamily<Label extends string = string> {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'summary';
  /** In the alphabetical order in which Go prints them. */
  readonly labels: readonly Label[];
  readonly help: string;
  /** Where olm-guard takes the values from. */
  readonly source: string;
}

export const families = {
  catalogSourceCount: {
    name: 'catalog_source_count',
    type: 'gauge',
    labels: [],
    help: 'Number of catalog sources',
    source: 'CatalogSources in view',
  },
  catalogSourceSnapshots: {
    name: 'catalog_source_snapshots_total',
    type: 'counter',
    labels: ['name', 'namespace'],
    help: 'The number of times the catalog operator has requested a snapshot of data from a catalog source',
    source:
      'reads, by --catalog, of a catalog that has the name of a CatalogSource in the global namespace; 0 with the first known connection state',
  },
  catalogSourceReady: {
    name: 'catalogsource_ready',
    type: 'gauge',
    labels: ['name', 'namespace'],
    help: 'State of a CatalogSource. 1 indicates that the CatalogSource is in a READY state. 0 indicates CatalogSource is in a Non READY state.',
    source: 'status.connectionState.lastObservedState of CatalogSources in view',
  },
  csvAbnormal: {
    name: 'csv_abnormal',
    type: 'gauge',
    labels: ['name', 'namespace', 'phase', 'reason', 'version'],
    help: 'CSV is not installed',
    source: 'status of ClusterServiceVersions in view, without copies',
  },
  csvCount: {
    name: 'csv_count',
    type: 'gauge',
    labels: [],
    help: 'Number of CSVs successfully registered',
    source: 'ClusterServiceVersions in view in any phase, without copies',
  },
  csvSucceeded: {
    name: 'csv_succeeded',
    type: 'gauge',
    labels: ['name', 'namespace', 'version'],
    help: 'Successful CSV install',
    source: 'status of ClusterServiceVersions in view, without copies',
  },
  csvUpgrades: {
    name: 'csv_upgrade_count',
    type: 'counter',
    labels: [],
    help: 'Monotonic count of CSV upgrades',
    source: 'watched transitions to phase Replacing',
  },
  installPlanCount: {
    name: 'install_plan_count',
    type: 'gauge',
    labels: [],
    help: 'Number of install plans',
    source: 'InstallPlans in view',
  },
  installPlanWarnings: {
    name: 'installplan_warnings_total',
    type: 'counter',
    labels: [],
    help: 'monotonic count of resources that generated warnings when applied as part of an InstallPlan (for example, due to deprecation)',
    source: 'events AppliedWithWarnings, one per step of an InstallPlan',
  },
  resolutionDuration: {
    name: 'olm_resolution_duration_seconds',
    type: 'summary',
    labels: ['outcome'],
    help: 'The duration of a dependency resolution attempt',
    source: 'our own resolver; absent without `--catalog`',
  },
  subscriptionCount: {
    name: 'subscription_count',
    type: 'gauge',
    labels: [],
    help: 'Number of subscriptions',
    source: 'Subscriptions in view',
  },
  subscriptionSyncs: {
    name: 'subscription_sync_total',
    type: 'counter',
    labels: ['approval', 'channel', 'installed', 'name', 'package'],
    help: 'Monotonic count of subscription syncs',
    source: 'our own syncs: one per watched change of a Subscription',
  },
} as const satisfies Readonly<Record<string, MetricFamily>>;
