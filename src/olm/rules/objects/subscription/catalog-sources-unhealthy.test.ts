import { describeRule } from '../testing/harness.js';
import { catalogSourcesUnhealthy } from './subscription-namespace.js';
import { makeCatalog, sub } from './testing/subscription.js';

describeRule(catalogSourcesUnhealthy, [
  {
    when: 'all ready',
    object: sub,
    cluster: [makeCatalog('c', 'olm', 'READY'), makeCatalog('d', 'ns', 'READY')],
    says: [],
  },
  {
    when: 'unhealthy elsewhere',
    object: sub,
    cluster: [makeCatalog('c', 'far', 'CONNECTING')],
    says: [],
  },
  {
    when: 'the global namespace and the own one count',
    object: sub,
    cluster: [
      makeCatalog('c', 'olm', 'TRANSIENT_FAILURE'),
      makeCatalog('d', 'ns', null, 'image and address unset'),
    ],
    says: [
      {
        id: 'unhealthy',
        data: {
          catalog: 'ns/d',
          state: 'was never reached: image and address unset',
          namespace: 'ns',
        },
      },
      {
        id: 'unhealthy',
        data: { catalog: 'olm/c', state: 'is TRANSIENT_FAILURE', namespace: 'ns' },
      },
    ],
  },
]);
