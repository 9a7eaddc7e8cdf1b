import { catalogUnhealthy } from './upgrade-blockers.js';
import { catalog, describeScanRule } from './testing/scan-rows.js';

describeScanRule(catalogUnhealthy, [
  {
    when: 'a global one concerns all namespaces',
    objects: [catalog('olm', 'TRANSIENT_FAILURE'), catalog('ns', ''), catalog('x', 'READY')],
    says: [
      {
        ...{ of: 'ns/c', id: 'unhealthy', severity: 'warning' },
        data: { state: 'was never reached', where: 'namespace ns' },
      },
      {
        of: 'olm/c',
        id: 'unhealthy',
        data: { state: 'is TRANSIENT_FAILURE', where: 'any namespace' },
      },
    ],
  },
]);
