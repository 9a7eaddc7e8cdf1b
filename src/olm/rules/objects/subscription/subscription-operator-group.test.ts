import { makeGroup, describeRule } from '../testing/harness.js';
import { subscriptionOperatorGroup } from './subscription-namespace.js';
import { sub } from './testing/subscription.js';

describeRule(subscriptionOperatorGroup, [
  { when: 'one', object: sub, cluster: [makeGroup()], says: [] },
  { when: 'none', object: sub, says: [{ id: 'groupCount', data: { count: 0, namespace: 'ns' } }] },
  {
    when: 'two',
    object: sub,
    cluster: [makeGroup(), makeGroup({ name: 'h' })],
    says: [{ id: 'groupCount', data: { count: 2, namespace: 'ns' } }],
  },
]);
