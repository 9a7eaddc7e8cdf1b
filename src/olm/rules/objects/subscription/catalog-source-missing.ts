import { exampleSubscription } from '../example-objects.js';
import { readSubscription } from '../../../objects/subscription.js';
import { from } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';

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
    before:
      '{ kind: CatalogSource, metadata: { name: community, namespace: olm }, spec: { sourceType: grpc, image: example.com/community:1 } }',
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
