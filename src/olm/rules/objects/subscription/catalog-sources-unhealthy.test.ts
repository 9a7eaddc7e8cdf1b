import { describeRule } from '../testing/harness.js';
import { catalogSourcesUnhealthy } from './catalog-sources-unhealthy.js';
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
      'warning: catalog ns/d was never reached: image and address unset; nothing in namespace ns is resolved',
      'warning: catalog olm/c is TRANSIENT_FAILURE; nothing in namespace ns is resolved until it is READY',
    ],
  },
]);
