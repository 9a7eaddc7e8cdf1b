/** Tells OLM's metrics what happens to OLM's objects. */
import { isObject, type JsonObject, metaOf, own } from '../../../text/documents/index.js';
import type { OlmMetrics } from './olm-metrics.js';
import { textAt } from '../../../text/documents/fields.js';
import type { ObjectChange, OlmState } from '../../../cluster/index.js';

const kinds = ['ClusterServiceVersion', 'Subscription', 'CatalogSource'] as const;

/** Shows what is there now, and from then on every change. */
export function feedOlmMetrics(metrics: OlmMetrics, state: OlmState): void {
  for (const kind of kinds) {
    for (const object of state.objects(kind)) tell(metrics, { kind, object });
  }
  const count = (): void =>
    metrics.setCounts({
      clusterServiceVersions: state.count('ClusterServiceVersion'),
      installPlans: state.count('InstallPlan'),
      subscriptions: state.count('Subscription'),
      catalogSources: state.count('CatalogSource'),
    });
  count();
  state.onChange((change) => {
    tell(metrics, change);
    count();
  });
}

function tell(metrics: OlmMetrics, change: ObjectChange): void {
  switch (change.kind) {
    case 'ClusterServiceVersion':
      return tellCsv(metrics, change);
    case 'Subscription':
      return tellSubscription(metrics, change);
    case 'CatalogSource':
      return tellCatalog(metrics, change);
    case 'Event':
      return tellEvent(metrics, change);
  }
}

function tellCsv(metrics: OlmMetrics, { old, object }: ObjectChange): void {
  if (object === undefined) {
    if (old !== undefined) metrics.csvDeleted(...placeOf(old));
    return;
  }
  const [namespace, name] = placeOf(object);
  const phase = textAt(object, 'status', 'phase') ?? '';
  const reason = textAt(object, 'status', 'reason') ?? '';
  // OLM reports a ClusterServiceVersion once it has written a status.
  if (phase !== '') {
    const version = textAt(object, 'spec', 'version') ?? '';
    metrics.csvChanged({ namespace, name, version, phase, reason });
  }
  const before = old === undefined ? 'Replacing' : (textAt(old, 'status', 'phase') ?? '');
  if (phase === 'Replacing' && before !== 'Replacing') metrics.csvUpgraded();
}

function tellSubscription(metrics: OlmMetrics, { old, object }: ObjectChange): void {
  if (object === undefined) {
    if (old !== undefined) metrics.subscriptionDeleted(...placeOf(old));
    return;
  }
  const [namespace, name] = placeOf(object);
  const spec = own(object, 'spec');
  if (!isObject(spec)) return;
  metrics.subscriptionSynced(namespace, {
    name,
    approval: textAt(spec, 'installPlanApproval') ?? '',
    channel: textAt(spec, 'channel') ?? '',
    installed: textAt(object, 'status', 'installedCSV') ?? '',
    package: textAt(spec, 'name') ?? '',
  });
}

function tellCatalog(metrics: OlmMetrics, { old, object }: ObjectChange): void {
  if (object === undefined) {
    if (old !== undefined) metrics.catalogDeleted(...placeOf(old));
    return;
  }
  const state = textAt(object, 'status', 'connectionState', 'lastObservedState') ?? '';
  if (state !== '') metrics.catalogStateChanged(...placeOf(object), state);
}

/** One event per step that met warnings; a repeated one is counted in place. */
function tellEvent(metrics: OlmMetrics, { old, object }: ObjectChange): void {
  const isPlan = object !== undefined && textAt(object, 'involvedObject', 'kind') === 'InstallPlan';
  if (!isPlan || textAt(object, 'reason') !== 'AppliedWithWarnings') return;
  const more = countOf(object) - (old === undefined ? 0 : countOf(old));
  for (let step = 0; step < more; step++) metrics.installPlanStepWarned();
}

function countOf(event: JsonObject): number {
  const count = own(event, 'count');
  return typeof count === 'number' && count > 0 ? count : 1;
}

function placeOf(object: JsonObject): [namespace: string, name: string] {
  const { namespace, name } = metaOf(object);
  return [namespace, name];
}
