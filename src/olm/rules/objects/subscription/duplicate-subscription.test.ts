import { describeRule } from '../testing/harness.js';
import { duplicateSubscription } from './subscription-namespace.js';
import { aSubscription, sub } from './testing/subscription.js';

describeRule(duplicateSubscription, [
  {
    when: 'another package',
    object: sub,
    cluster: [aSubscription('t', { name: 'dogs' })],
    says: [],
  },
  { when: 'itself', object: sub, old: sub, says: [] },
  {
    when: 'the same package',
    object: sub,
    cluster: [aSubscription('t')],
    says: [{ id: 'duplicate', data: { wanted: 'cats', names: ['t'] } }],
  },
]);
