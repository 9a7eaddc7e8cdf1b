import { isHealthy, type CatalogSource } from '../../olm/catalog-source.js';
import { defineRule } from './rule.js';
import { readSubscription } from '../../olm/subscription.js';
import type { OlmView } from '../../olm/view.js';
import { namesText } from './group-review.js';
import { from, sources } from '../source.js';

export const catalogSourcesUnhealthy = defineRule({
  name: 'CatalogSourcesUnhealthy',
  kind: 'Subscription',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'catalogs',
  prevents: 'ErrorPreventedResolution: error using catalogsource …',
  source: from.olm('pkg/controller/registry/resolver/cache/cache.go', 'Error'),
  explain:
    'Nothing in a namespace is resolved while any catalog of it, or of the global catalog namespace, is not READY: not even operators of other catalogs. ' +
    'Repair the catalog, or delete it.',
  *check({ object, view }) {
    const { namespace } = readSubscription(object);
    for (const catalog of visibleCatalogs(view, namespace)) {
      if (isHealthy(catalog)) continue;
      const reason = catalog.statusMessage === '' ? '' : `: ${catalog.statusMessage}`;
      const state =
        catalog.connectionState === '' ? 'was never reached' : `is ${catalog.connectionState}`;
      yield {
        message: `catalog ${catalog.namespace}/${catalog.name} ${state}${reason}; nothing in namespace ${namespace} is resolved until it is READY`,
        cause: `${catalog.namespace}/${catalog.name}`,
      };
    }
  },
});

function visibleCatalogs(view: OlmView, namespace: string): CatalogSource[] {
  const global = view.globalCatalogNamespace;
  const local = view.catalogsIn(namespace);
  return global === null || global === namespace
    ? [...local]
    : [...local, ...view.catalogsIn(global)];
}

export const catalogSourceMissing = defineRule({
  name: 'CatalogSourceMissing',
  kind: 'Subscription',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'catalogs',
  prevents: 'targeted catalogsource … missing',
  source: from.olm('pkg/controller/operators/catalog/subscription/state.go', 'UpdateHealth'),
  explain:
    'spec.source and spec.sourceNamespace must name a CatalogSource of this namespace or of the global catalog namespace; any other is not looked at.',
  *check({ object, view }) {
    const { namespace, catalog, catalogNamespace } = readSubscription(object);
    const isVisible =
      catalogNamespace === namespace || catalogNamespace === view.globalCatalogNamespace;
    const isThere = view.catalogsIn(catalogNamespace).some((other) => other.name === catalog);
    if (isVisible && isThere) return;
    const why = isThere ? `is not visible in namespace ${namespace}` : 'missing';
    yield {
      message: `targeted catalogsource ${catalogNamespace}/${catalog} ${why}`,
      path: '$.spec.source',
    };
  },
});

export const subscriptionOperatorGroup = defineRule({
  name: 'SubscriptionOperatorGroup',
  kind: 'Subscription',
  requests: ['CREATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: 'found 0 operatorGroups, expected 1 (only in the log of OLM)',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncResolvingNamespace'),
    from.olm('pkg/controller/registry/resolver/fail_forward.go', 'IsFailForwardEnabled'),
  ),
  explain:
    'Without exactly one OperatorGroup in the namespace nothing is resolved, and the Subscription shows no condition that says so.',
  *check({ object, view }) {
    const { namespace } = readSubscription(object);
    const count = view.groupsIn(namespace).length;
    if (count === 1) return;
    yield {
      message: `found ${count} operatorGroups, expected 1: nothing in namespace ${namespace} is resolved until then, and OLM says so only in its log`,
      path: '$.metadata.namespace',
    };
  },
});

export const duplicateSubscription = defineRule({
  name: 'DuplicateSubscription',
  kind: 'Subscription',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'resolution',
  prevents: 'constraints not satisfiable: … originate from package …',
  source: sources(
    from.olm('pkg/controller/registry/resolver/resolver.go', 'addInvariants'),
    from.olm(
      'pkg/controller/registry/resolver/variable_types.go',
      'NewSinglePackageInstanceVariable',
    ),
  ),
  explain:
    'A namespace holds one operator of a package, so two Subscriptions of it block each other, and with them every other operator of the namespace.',
  *check({ object, view }) {
    const { namespace, name, package: wanted } = readSubscription(object);
    const others = view
      .subscriptionsIn(namespace)
      .filter((other) => other.name !== name && other.package === wanted);
    if (others.length === 0) return;
    yield {
      message: `package ${wanted} is subscribed to already by ${namesText(others.map((other) => other.name))}; a namespace holds one operator of a package`,
      path: '$.spec.name',
    };
  },
});

export const manualApprovalSpreads = defineRule({
  name: 'ManualApprovalSpreads',
  kind: 'Subscription',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'install-plans',
  prevents: 'nothing is said: InstallPlans of all operators of the namespace wait for approval',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncResolvingNamespace'),
    from.openShift('Multitenancy and Operator colocation'),
  ),
  explain:
    'Operators of one namespace share their InstallPlans, and one Subscription with approval Manual makes every plan of the namespace wait. Give operators that are to be updated alone a namespace of their own.',
  *check({ object, view }) {
    const { namespace, name, isManual } = readSubscription(object);
    const others = view
      .subscriptionsIn(namespace)
      .filter((other) => other.name !== name && other.isManual !== isManual)
      .map((other) => other.name);
    if (others.length === 0) return;
    yield {
      message: isManual
        ? `approval Manual also holds back updates of ${namesText(others)} in namespace ${namespace}`
        : `updates will wait for approval: ${namesText(others)} in namespace ${namespace} is Manual`,
      path: '$.spec.installPlanApproval',
    };
  },
});
