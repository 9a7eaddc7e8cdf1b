import { catalogUnhealthy } from './catalog-unhealthy.js';
import { catalog, describeScanRule } from './testing/scan-rows.js';

describeScanRule(catalogUnhealthy, [
  {
    when: 'a global one concerns all namespaces',
    objects: [catalog('olm', 'TRANSIENT_FAILURE'), catalog('ns', ''), catalog('x', 'READY')],
    says: [
      /^warning olm\/c: is TRANSIENT_FAILURE; nothing in any/,
      /^warning ns\/c: was never .* namespace ns/,
    ],
  },
]);
