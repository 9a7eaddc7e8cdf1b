import { exampleSubscription, exampleCatalogSource, settledGroup } from '../examples.js';
import {
  type CatalogSource,
  connectionText,
  isHealthy,
  isLeaving,
  readSubscription,
} from '../../../objects/classic-objects.js';
import type { OlmView } from '../../../objects/view.js';
import { from, sources } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';
import { packagesOf } from '../../../objects/namespace-state.js';
import { textAt } from '../../../../text/documents/fields.js';

export const catalogSourcesUnhealthy = defineSubscriptionRule({
  id: 'CatalogSourcesUnhealthy',
  family: 'catalogs',
  severity: 'warning',
  blocksUpgrade: true,
  checks: 'Every catalog that the namespace of a Subscription sees is READY.',
  withoutNames: 'a catalog that its namespace sees is not READY',
  why: 'Nothing in a namespace is resolved while any catalog of it, or of the global catalog namespace, is not READY: not even operators of other catalogs.',
  otherwise: 'ErrorPreventedResolution: error using catalogsource …',
  instead: 'Repair the catalog, or delete it.',
  source: from.olm('pkg/controller/registry/resolver/cache/cache.go', 'Error'),
  messages: {
    unhealthy:
      'catalog {catalog} {state}; nothing in namespace {namespace} is resolved until it is READY',
  },
  example: {
    before: `
      { kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1 }, status: { connectionState: { lastObservedState: READY } } }
      ---
      { kind: CatalogSource, metadata: { name: broken, namespace: work }, spec: { sourceType: grpc }, status: { connectionState: { lastObservedState: TRANSIENT_FAILURE } } }`,
    after: exampleSubscription(),
    says: 'catalog work/broken is TRANSIENT_FAILURE; nothing in namespace work is resolved until it is READY',
    accepted:
      '{ kind: Subscription, metadata: { name: queue, namespace: elsewhere }, spec: { name: queue, source: community, sourceNamespace: olm } }',
  },
  *judge({ object, view }) {
    const { namespace } = readSubscription(object);
    for (const catalog of visibleCatalogs(view, namespace)) {
      if (isHealthy(catalog)) continue;
      const name = `${catalog.namespace}/${catalog.name}`;
      yield {
        id: 'unhealthy',
        data: { catalog: name, state: connectionText(catalog), namespace },
        cause: name,
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

export const catalogSourceMissing = defineSubscriptionRule({
  id: 'CatalogSourceMissing',
  family: 'catalogs',
  severity: 'warning',
  blocksUpgrade: true,
  checks:
    'A Subscription names a CatalogSource of its own namespace or of the global catalog namespace.',
  withoutNames: 'the CatalogSource that it names does not exist',
  why: 'OLM looks at no other CatalogSource, so nothing is installed.',
  otherwise: 'targeted catalogsource … missing',
  instead: 'Correct spec.source and spec.sourceNamespace, or create the CatalogSource.',
  source: from.olm('pkg/controller/operators/catalog/subscription/state.go', 'UpdateHealth'),
  messages: {
    missing: 'targeted catalogsource {catalogNamespace}/{catalog} missing',
    invisible:
      'targeted catalogsource {catalogNamespace}/{catalog} is not visible in namespace {namespace}',
  },
  example: {
    before: exampleCatalogSource(),
    after: exampleSubscription('', { source: 'comunity' }),
    says: 'targeted catalogsource olm/comunity missing',
    accepted: exampleSubscription(),
  },
  *judge({ object, view }) {
    const { namespace, catalog, catalogNamespace } = readSubscription(object);
    const isThere = view.catalogsIn(catalogNamespace).some((other) => other.name === catalog);
    const isGlobal = catalogNamespace === view.globalCatalogNamespace;
    const isVisible =
      catalogNamespace === namespace ||
      (isGlobal &&
        !(isThere && view.groupsIn(namespace).some((group) => group.excludesGlobalCatalogs)));
    if (isVisible && isThere) return;
    yield {
      id: isThere ? 'invisible' : 'missing',
      data: { catalogNamespace, catalog, namespace },
      path: '$.spec.source',
    };
  },
});

export const subscriptionOperatorGroup = defineSubscriptionRule({
  id: 'SubscriptionOperatorGroup',
  requests: ['CREATE'],
  family: 'operator-groups',
  severity: 'warning',
  blocksUpgrade: true,
  checks: 'The namespace of a new Subscription has exactly one OperatorGroup.',
  withoutNames: 'its namespace does not have exactly one OperatorGroup',
  why: 'Without exactly one nothing is resolved, and the Subscription shows no condition that says so.',
  otherwise: 'found 0 operatorGroups, expected 1 (only in the log of OLM)',
  instead: 'Create the OperatorGroup first, or delete all but one.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncResolvingNamespace'),
    from.olm('pkg/controller/registry/resolver/fail_forward.go', 'IsFailForwardEnabled'),
  ),
  messages: {
    groupCount:
      'found {count} operatorGroups, expected 1: nothing in namespace {namespace} is resolved until then, and OLM says so only in its log',
  },
  example: {
    before: settledGroup('zoo'),
    after: exampleSubscription(),
    says: 'found 0 operatorGroups, expected 1',
    accepted:
      '{ kind: Subscription, metadata: { name: queue, namespace: zoo }, spec: { name: queue, source: community, sourceNamespace: olm } }',
  },
  *judge({ object, view }) {
    const { namespace } = readSubscription(object);
    const count = view.groupsIn(namespace).length;
    if (count === 1) return;
    yield { id: 'groupCount', data: { count, namespace }, path: '$.metadata.namespace' };
  },
});

export const duplicateSubscription = defineSubscriptionRule({
  id: 'DuplicateSubscription',
  family: 'resolution',
  severity: 'warning',
  checks: 'A namespace has one Subscription of a package.',
  withoutNames: 'its namespace has a Subscription to this package already',
  why: 'A namespace holds one operator of a package, so two Subscriptions of it block each other, and with them every other operator of the namespace.',
  otherwise: 'constraints not satisfiable: … originate from package …',
  instead: 'Change the Subscription that is there, or subscribe in another namespace.',
  source: sources(
    from.olm('pkg/controller/registry/resolver/resolver.go', 'addInvariants'),
    from.olm(
      'pkg/controller/registry/resolver/variable_types.go',
      'NewSinglePackageInstanceVariable',
    ),
  ),
  messages: {
    duplicate:
      'package {wanted} is subscribed to already by {names}; a namespace holds one operator of a package',
  },
  example: {
    before: exampleSubscription('', { name: 'first' }),
    after: exampleSubscription('', { name: 'second' }),
    says: 'package queue is subscribed to already by first',
    accepted: exampleSubscription('', { package: 'topic', name: 'second' }),
  },
  *judge({ object, view }) {
    const { namespace, name, package: wanted } = readSubscription(object);
    const others = view
      .subscriptionsIn(namespace)
      .filter((other) => other.name !== name && other.package === wanted);
    if (others.length === 0) return;
    yield {
      id: 'duplicate',
      data: { wanted, names: others.map((other) => other.name) },
      path: '$.spec.name',
    };
  },
});

const subscriptionUnownedOperator = defineSubscriptionRule({
  id: 'SubscriptionUnownedOperator',
  family: 'resolution',
  severity: 'warning',
  blocksUpgrade: true,
  withoutNames: 'its namespace has an operator of this package that no Subscription owns',
  checks:
    'No ClusterServiceVersion of the package runs in the namespace without a Subscription that owns it (`status.installedCSV`).',
  why: 'What no Subscription owns has to stay, and a namespace holds one operator of a package, so nothing in the namespace can be resolved.',
  otherwise:
    'constraints not satisfiable: clusterserviceversion … exists and is not referenced by a subscription',
  instead:
    'Delete the ClusterServiceVersion, so that OLM installs the operator by the Subscription; its definitions and their objects stay.',
  source: sources(
    from.olm('pkg/controller/registry/resolver/resolver.go', 'addInvariants'),
    from.olm('pkg/controller/registry/resolver/source_csvs.go'),
  ),
  messages: {
    unowned:
      'OLM resolves nothing in {namespace}: ClusterServiceVersion {csv} is of package {wanted} already, and no Subscription owns it',
  },
  example: {
    before: `
      apiVersion: operators.coreos.com/v1alpha1
      kind: ClusterServiceVersion
      metadata: { name: queue.v1.0.0, namespace: work, annotations: { operatorframework.io/properties: '{"properties":[{"type":"olm.package","value":{"packageName":"queue","version":"1.0.0"}}]}' } }
      spec: { version: 1.0.0 }
      status: { phase: Succeeded }`,
    after: exampleSubscription(),
    says: 'ClusterServiceVersion queue.v1.0.0 is of package queue already, and no Subscription owns it',
    accepted: exampleSubscription('', { package: 'topic', name: 'topic' }),
  },
  *judge({ object, oldObject, view }) {
    const { namespace, name, package: wanted } = readSubscription(object);
    const subscribed = view.subscriptionsIn(namespace);
    // Another one may own it; DuplicateSubscription is about them.
    if (subscribed.some((other) => other.name !== name && other.package === wanted)) return;
    const own = ['installedCSV', 'currentCSV'].flatMap((field) =>
      [object, oldObject ?? {}].map((each) => textAt(each, 'status', field)),
    );
    const csv = view
      .csvsIn(namespace)
      .find(
        (each) =>
          !own.includes(each.name) && !isLeaving(each) && packagesOf(each.object).includes(wanted),
      )?.name;
    if (csv !== undefined)
      yield { id: 'unowned', data: { namespace, csv, wanted }, path: '$.spec.name' };
  },
});

export const manualApprovalSpreads = defineSubscriptionRule({
  id: 'ManualApprovalSpreads',
  family: 'install-plans',
  severity: 'warning',
  checks: 'The Subscriptions of a namespace agree whether InstallPlans wait for approval.',
  withoutNames: 'its approval differs from that of another Subscription in its namespace',
  why: 'Operators of one namespace share their InstallPlans, and one Subscription with approval Manual makes every plan of the namespace wait.',
  otherwise:
    'OLM reports no error: InstallPlans of all operators of the namespace wait for approval',
  instead: 'Give operators that are to be updated on their own a namespace of their own.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/operator.go', 'syncResolvingNamespace'),
    from.openShift('Multitenancy and Operator colocation'),
  ),
  messages: {
    holdsBack: 'approval Manual also holds back updates of {others} in namespace {namespace}',
    waits: 'updates will wait for approval: {others} in namespace {namespace} is Manual',
  },
  example: {
    before: exampleSubscription('', { package: 'topic', name: 'topic' }),
    after: exampleSubscription('installPlanApproval: Manual'),
    says: 'approval Manual also holds back updates of topic in namespace work',
    accepted: exampleSubscription('installPlanApproval: Automatic'),
  },
  *judge({ object, view }) {
    const { namespace, name, isManual } = readSubscription(object);
    const others = view
      .subscriptionsIn(namespace)
      .filter((other) => other.name !== name && other.isManual !== isManual)
      .map((other) => other.name);
    if (others.length === 0) return;
    yield {
      id: isManual ? 'holdsBack' : 'waits',
      data: { others, namespace },
      path: '$.spec.installPlanApproval',
    };
  },
});

export const subscriptionNamespaceRules = [
  catalogSourcesUnhealthy,
  catalogSourceMissing,
  subscriptionOperatorGroup,
  duplicateSubscription,
  subscriptionUnownedOperator,
  manualApprovalSpreads,
];
