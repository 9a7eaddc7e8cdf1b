import {
  connectionText,
  isHealthy,
  readCatalogSource,
  readSubscription,
} from '../../objects/classic-objects.js';
import { from, sources } from '../../../rule/index.js';
import { defineScanRule } from './rule.js';
import { heldBack } from '../objects/cluster-service-version/other-operators.js';
import { csvUpTo } from '../objects/examples.js';
import { installedBundle } from '../../objects/cluster-extension.js';
import { limitIn, limitSource } from '../objects/cluster-version/cluster-update-blocked.js';
import { limitOfCsv } from '../../objects/open-shift-limit.js';
import { isBelowNextMinor, nextMinorOf } from '../../catalogs/upgrades/open-shift-limit.js';
import { readVersion } from '../../../text/versions/index.js';
import { objectsAt, textAt } from '../../../text/documents/fields.js';
import type { JsonObject } from '../../../text/documents/index.js';
import { sinceText } from './reported-condition.js';

export const operatorNotUpgradeable = defineScanRule({
  id: 'OperatorNotUpgradeable',
  severity: 'warning',
  blocksUpgrade: true,
  family: 'operator-groups',
  kinds: ['OperatorCondition'],
  otherwise: 'operator is not upgradeable: …',
  source: sources(
    from.olm('pkg/controller/operators/olm/operatorconditions.go', 'isOperatorUpgradeable'),
    from.openShift('Operator conditions'),
  ),
  checks: 'Operators that say in their OperatorCondition that they cannot be upgraded.',
  why: 'The next version stays Pending until that changes.',
  instead:
    'Let the operator finish, or set an override of condition Upgradeable in spec.overrides.',
  messages: { waits: 'the next version will wait: {reason}' },
  example: {
    after: `
      apiVersion: operators.coreos.com/v2
      kind: OperatorCondition
      metadata: { name: cats.v1, namespace: pets }
      spec: { conditions: [{ type: Upgradeable, status: 'False', message: migrating }] }`,
    says: 'the next version will wait: the operator is not upgradeable: migrating',
    accepted: `
      apiVersion: operators.coreos.com/v2
      kind: OperatorCondition
      metadata: { name: cats.v1, namespace: pets }
      spec: { conditions: [{ type: Upgradeable, status: 'True' }] }`,
  },
  *judge({ objects }) {
    for (const object of objects('OperatorCondition')) {
      const reason = heldBack(object);
      if (reason !== null) yield { object, id: 'waits', data: { reason } };
    }
  },
});

export const catalogUnhealthy = defineScanRule({
  id: 'CatalogUnhealthy',
  severity: 'error',
  blocksUpgrade: true,
  family: 'catalogs',
  kinds: ['CatalogSource'],
  otherwise: 'ErrorPreventedResolution: error using catalogsource …',
  source: from.olm('pkg/controller/registry/resolver/cache/cache.go', 'Error'),
  checks: 'CatalogSources that are not READY.',
  why: 'One keeps every operator of the namespaces that see it from being installed or updated, whichever catalog it comes from.',
  instead: 'Repair it, or delete it.',
  messages: { unhealthy: '{state}; nothing in {where} is resolved until it is READY' },
  example: {
    after: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: CatalogSource
      metadata: { name: community, namespace: olm }
      status: { connectionState: { lastObservedState: TRANSIENT_FAILURE } }`,
    says: 'is TRANSIENT_FAILURE; nothing in any namespace is resolved until it is READY',
    accepted: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: CatalogSource
      metadata: { name: community, namespace: olm }
      status: { connectionState: { lastObservedState: READY } }`,
  },
  *judge({ view, objects }) {
    for (const object of objects('CatalogSource')) {
      const catalog = readCatalogSource(object);
      if (isHealthy(catalog)) continue;
      const isGlobal = catalog.namespace === view.globalCatalogNamespace;
      const where = isGlobal ? 'any namespace' : `namespace ${catalog.namespace}`;
      // A catalog that was never reached may be a manifest, which has no state.
      const severity = catalog.connectionState === '' ? 'warning' : 'error';
      yield { object, severity, id: 'unhealthy', data: { state: connectionText(catalog), where } };
    }
  },
});

export const blocksClusterUpgrade = defineScanRule({
  id: 'BlocksClusterUpgrade',
  aliases: ['MaxOpenShiftVersion'],
  severity: 'error',
  family: 'resolution',
  kinds: ['ClusterServiceVersion'],
  otherwise:
    'ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  source: limitSource,
  checks:
    'Installed operators that declare by olm.maxOpenShiftVersion that they do not work on the next minor version of the cluster.',
  why: 'The cluster refuses that update.',
  instead: 'Update the operator first.',
  messages: {
    unreadable:
      'has invalid olm.maxOpenShiftVersion properties, and OLM keeps the cluster from its next minor version: {problem}',
    limit: 'works up to OpenShift {limit}: update it before the cluster goes to {next}',
    extension:
      '{bundle} keeps OpenShift from {next} ({because}): update it before the cluster goes on',
  },
  example: {
    before: `
      apiVersion: config.openshift.io/v1
      kind: ClusterVersion
      metadata: { name: version }
      status: { desired: { version: 4.15.3 } }`,
    after: csvUpTo('4.15'),
    says: 'works up to OpenShift 4.15: update it before the cluster goes to 4.16',
    accepted: csvUpTo('4.16'),
  },
  *judge({ objects, clusterVersion, view }) {
    const current = readVersion(clusterVersion ?? '');
    if (clusterVersion === null || current === undefined) return;
    for (const object of objects('ClusterServiceVersion')) {
      const limit = limitOfCsv(object);
      if (limit.kind === 'unreadable') {
        yield { object, id: 'unreadable', data: { problem: limit.problem } };
      } else if (limit.kind === 'limit' && isBelowNextMinor(limit.version, current)) {
        const { major, minor } = limit.version;
        const data = { limit: `${major}.${minor}`, next: nextMinorOf(current) };
        yield { object, id: 'limit', data };
      }
    }
    for (const object of objects('ClusterExtension')) {
      const installed = installedBundle(object);
      if (installed === undefined || view.knownCatalogs === null) continue;
      const because = limitIn(view.knownCatalogs, installed.name, clusterVersion);
      if (because === undefined) continue;
      const data = { bundle: installed.name, next: nextMinorOf(current), because };
      yield { object, id: 'extension', data };
    }
  },
});

export const updatePending = defineScanRule({
  id: 'UpdatePending',
  severity: 'info',
  family: 'install-plans',
  kinds: ['Subscription'],
  otherwise: 'UpgradePending',
  source: sources(
    from.olm('pkg/controller/operators/catalog/subscription/state.go', 'UpdateSync'),
    from.openShift('Operator Lifecycle Manager workflow'),
  ),
  checks:
    'Subscriptions whose channel has a newer version than the installed one: status.installedCSV is not status.currentCSV.',
  why: 'An update that waits for an approval, or that cannot be installed, stays pending forever, and nothing reports it.',
  instead:
    'Approve the InstallPlan, or see by olm-guard resolve what holds the update back; a change of the catalog may also end it.',
  messages: {
    unapproved:
      '{installed} is installed, and the update to {current} waits for the approval of an InstallPlan{since}',
    pending: '{installed} is installed, and the update to {current} is pending{since}',
  },
  example: {
    after: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: Subscription
      metadata: { name: queue, namespace: work }
      spec: { name: queue, source: community, sourceNamespace: olm, installPlanApproval: Manual }
      status: { installedCSV: queue.v1.0.0, currentCSV: queue.v2.0.0, state: UpgradePending }`,
    says: 'queue.v1.0.0 is installed, and the update to queue.v2.0.0 waits for the approval of an InstallPlan',
    accepted: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: Subscription
      metadata: { name: queue, namespace: work }
      spec: { name: queue, source: community, sourceNamespace: olm, installPlanApproval: Manual }
      status: { installedCSV: queue.v2.0.0, currentCSV: queue.v2.0.0, state: AtLatestKnown }`,
  },
  *judge({ view, objects, now }) {
    for (const object of objects('Subscription')) {
      const installed = textAt(object, 'status', 'installedCSV') ?? '';
      const current = textAt(object, 'status', 'currentCSV') ?? '';
      if (installed === '' || current === '' || installed === current) continue;
      const { namespace } = readSubscription(object);
      const isManual = view.subscriptionsIn(namespace).some((each) => each.isManual);
      yield {
        object,
        id: isManual ? 'unapproved' : 'pending',
        data: { installed, current, since: since(object, now) },
        cause: `${installed} ${current}`,
      };
    }
  },
});

/** OLM says in a condition when a plan began to wait, and else only when it last wrote the status. */
function since(subscription: JsonObject, now: Date): string {
  const condition = objectsAt(subscription, 'status', 'conditions').find(
    (each) => textAt(each, 'type') === 'InstallPlanPending',
  );
  const time =
    textAt(condition, 'lastTransitionTime') ?? textAt(subscription, 'status', 'lastUpdated') ?? '';
  return sinceText(time, now);
}

export const upgradeBlockerRules = [
  operatorNotUpgradeable,
  catalogUnhealthy,
  blocksClusterUpgrade,
  updatePending,
];
