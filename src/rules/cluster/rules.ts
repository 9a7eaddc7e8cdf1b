/** What a scan says beyond the rules of the gate, in one table. docs/rules.md is generated from it. */
import { groupSurface } from '../../olm/operator-groups/surface.js';
import { isHealthy, readCatalogSource } from '../../olm/catalog-source.js';
import { installedBundle } from '../../olm/cluster-extension.js';
import { limitIn } from '../olm/cluster-version/catalog-limit.js';
import { limitOfCsv } from '../../olm/open-shift-limit.js';
import { readVersion } from '../../text/versions/index.js';
import { readOperatorGroup } from '../../olm/operator-group.js';
import { heldBack } from '../olm/cluster-service-version/operator-condition-not-upgradeable.js';
import { namesText } from '../olm/names-text.js';
import { isBelowNextMinor, nextMinorOf } from '../../catalogs/upgrades/index.js';
import { defineScanRule, type ScanRule } from './rule.js';
import { from, sources } from '../source.js';

export const targetNamespacesOverlap = defineScanRule({
  name: 'TargetNamespacesOverlap',
  severity: 'info',
  family: 'operator-groups',
  kinds: ['OperatorGroup'],
  prevents: 'intersecting operatorgroups provide the same apis',
  source: from.olm(
    'pkg/controller/operators/olm/groups.go',
    'GroupIntersection',
    'ReconcileAPIIntersection',
  ),
  explain:
    'These groups target a common namespace; their own namespaces count. That is allowed as long as they provide different APIs: an operator of one whose API another provides cannot be installed.',
  *check({ view, objects }) {
    for (const object of objects('OperatorGroup')) {
      const { identifier, targets } = groupSurface(readOperatorGroup(object));
      if (targets.isEmpty) continue;
      const others = view
        .groupsCovering(targets.names())
        .map(groupSurface)
        .filter(
          (other) =>
            other.identifier !== identifier && !targets.intersection(other.targets).isEmpty,
        );
      if (others.length === 0) continue;
      const names = others.map((other) => other.identifier.split('/').reverse().join('/')).sort();
      yield { object, message: `shares target namespaces with ${namesText(names)}` };
    }
  },
});

export const operatorNotUpgradeable = defineScanRule({
  name: 'OperatorNotUpgradeable',
  severity: 'warning',
  family: 'operator-groups',
  kinds: ['OperatorCondition'],
  prevents: 'operator is not upgradeable: …',
  source: sources(
    from.olm('pkg/controller/operators/olm/operatorconditions.go', 'isOperatorUpgradeable'),
    from.openShift('Operator conditions'),
  ),
  explain:
    'The operator says Upgradeable=False in its OperatorCondition: its next version stays Pending until that changes or spec.overrides says otherwise.',
  *check({ objects }) {
    for (const object of objects('OperatorCondition')) {
      const reason = heldBack(object);
      if (reason !== null) yield { object, message: `the next version will wait: ${reason}` };
    }
  },
});

export const catalogUnhealthy = defineScanRule({
  name: 'CatalogUnhealthy',
  severity: 'warning',
  family: 'catalogs',
  kinds: ['CatalogSource'],
  prevents: 'ErrorPreventedResolution: error using catalogsource …',
  source: from.olm('pkg/controller/registry/resolver/cache/cache.go', 'Error'),
  explain:
    'A catalog that is not READY keeps every operator of the namespaces that see it from being installed or updated, whichever catalog it comes from. Repair it, or delete it.',
  *check({ view, objects }) {
    for (const object of objects('CatalogSource')) {
      const catalog = readCatalogSource(object);
      if (isHealthy(catalog)) continue;
      const isGlobal = catalog.namespace === view.globalCatalogNamespace;
      const where = isGlobal ? 'any namespace' : `namespace ${catalog.namespace}`;
      const state =
        catalog.connectionState === '' ? 'was never reached' : `is ${catalog.connectionState}`;
      const because = catalog.statusMessage === '' ? '' : `: ${catalog.statusMessage}`;
      yield {
        object,
        message: `${state}${because}; nothing in ${where} is resolved until it is READY`,
      };
    }
  },
});

export const blocksClusterUpgrade = defineScanRule({
  name: 'BlocksClusterUpgrade',
  severity: 'error',
  family: 'resolution',
  kinds: ['ClusterServiceVersion'],
  prevents:
    'ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  source: sources(
    from.olm(
      'pkg/controller/operators/openshift/helpers.go',
      'incompatibleOperators',
      'maxOpenShiftVersion',
    ),
    from.clusterOlmOperator(
      'pkg/controller/incompatible_operator_controller.go',
      'checkIncompatibility',
    ),
    from.openShift('Update paths'),
  ),
  explain:
    'The installed bundle declares by olm.maxOpenShiftVersion that it does not work on the next minor version of the cluster, so the cluster refuses that update. Update the operator first.',
  *check({ objects, clusterVersion, view }) {
    const current = readVersion(clusterVersion ?? '');
    if (clusterVersion === null || current === undefined) return;
    for (const object of objects('ClusterServiceVersion')) {
      const limit = limitOfCsv(object);
      if (limit.kind === 'unreadable') {
        yield {
          object,
          message: `has invalid olm.maxOpenShiftVersion properties, and OLM keeps the cluster from its next minor version: ${limit.problem}`,
        };
      } else if (limit.kind === 'limit' && isBelowNextMinor(limit.version, current)) {
        yield {
          object,
          message: `works up to OpenShift ${limit.version.major}.${limit.version.minor}: update it before the cluster goes to ${nextMinorOf(current)}`,
        };
      }
    }
    for (const object of objects('ClusterExtension')) {
      const installed = installedBundle(object);
      if (installed === undefined || view.knownCatalogs === null) continue;
      const maximum = limitIn(view.knownCatalogs, installed.name, clusterVersion);
      if (maximum === undefined) continue;
      yield {
        object,
        message: `${installed.name} works up to OpenShift ${maximum}: update it before the cluster goes on`,
      };
    }
  },
});

const switchable = [
  'CustomResourceDefinition',
  'ClusterExtension',
  'Subscription',
  'ClusterServiceVersion',
];

export const bypassInForce = defineScanRule({
  name: 'BypassInForce',
  severity: 'info',
  family: 'operator-groups',
  kinds: switchable,
  prevents: 'nothing is said: what is switched off is not denied',
  source: from.us('docs/operations.md'),
  explain:
    'An annotation or a field switches checks off for this object. Remove it once it is no longer needed; olm-guard.io/disable-until does so by itself.',
  *check({ objects, switchOffs }) {
    for (const kind of switchable) {
      for (const object of objects(kind)) {
        const { bypasses, problems } = switchOffs(object);
        for (const { description, families } of bypasses) {
          const what = families === 'all' ? 'every check' : families.join(', ');
          yield { object, message: `${what} switched off by ${description}`, cause: description };
        }
        for (const problem of problems) yield { object, message: problem, severity: 'warning' };
      }
    }
  },
});

export const scanRules: readonly ScanRule[] = [
  targetNamespacesOverlap,
  operatorNotUpgradeable,
  catalogUnhealthy,
  blocksClusterUpgrade,
  bypassInForce,
];
