import { makeGroup, describeRule } from '../testing/harness.js';
import { subscriptionOperatorGroup } from './subscription-operator-group.js';
import { sub } from './testing/subscription.js';

describeRule(subscriptionOperatorGroup, [
  { when: 'one', object: sub, cluster: [makeGroup()], says: [] },
  { when: 'none', object: sub, says: ['warning: found 0 operatorGroups, expected 1'] },
  {
    when: 'two',
    object: sub,
    cluster: [makeGroup(), makeGroup({ name: 'h' })],
    says: ['warning: found 2 operatorGroups'],
  },
]);
