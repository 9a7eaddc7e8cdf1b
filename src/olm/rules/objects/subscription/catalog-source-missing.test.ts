import { describeRule } from '../testing/harness.js';
import { catalogSourceMissing } from './subscription-namespace.js';
import { makeCatalog, aSubscription, sub } from './testing/subscription.js';

describeRule(catalogSourceMissing, [
  { when: 'the global catalog', object: sub, cluster: [makeCatalog('c', 'olm', null)], says: [] },
  {
    when: 'missing',
    object: sub,
    says: [{ id: 'missing', data: { catalogNamespace: 'olm', catalog: 'c', namespace: 'ns' } }],
  },
  {
    when: 'in a namespace that is not looked at',
    object: aSubscription('s', { sourceNamespace: 'far' }),
    cluster: [makeCatalog('c', 'far', 'READY')],
    says: [{ id: 'invisible', data: { catalogNamespace: 'far', catalog: 'c', namespace: 'ns' } }],
  },
]);
