import { connectionText, isHealthy, readCatalogSource } from '../../objects/classic-objects.js';
import { from } from '../../../rule/index.js';
import { defineScanRule } from './rule.js';

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
