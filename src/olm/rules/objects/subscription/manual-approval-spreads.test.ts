import { describeRule } from '../testing/harness.js';
import { manualApprovalSpreads } from './subscription-namespace.js';
import { aSubscription, sub } from './testing/subscription.js';

describeRule(manualApprovalSpreads, [
  { when: 'all automatic', object: sub, cluster: [aSubscription('t')], says: [] },
  {
    when: 'manual beside automatic',
    object: aSubscription('s', { installPlanApproval: 'Manual' }),
    cluster: [aSubscription('t', { installPlanApproval: 'Automatic' })],
    says: [{ id: 'holdsBack', data: { others: ['t'], namespace: 'ns' } }],
  },
  {
    when: 'automatic beside manual',
    object: sub,
    cluster: [aSubscription('t', { installPlanApproval: 'Manual' })],
    says: [{ id: 'waits', data: { others: ['t'], namespace: 'ns' } }],
  },
]);
