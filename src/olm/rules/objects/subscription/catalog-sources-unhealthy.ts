import { exampleSubscription } from '../example-objects.js';
import { type CatalogSource, connectionText, isHealthy } from '../../../objects/catalog-source.js';
import { readSubscription } from '../../../objects/subscription.js';
import type { OlmView } from '../../../objects/view.js';
import { from } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';

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
