import { exampleSubscription } from '../example-objects.js';
import { didYouMean } from '../../../../text/nearest.js';
import { from, queueCatalog } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';
import { subscribed } from './subscribed-package.js';

export const subscriptionChannel = defineSubscriptionRule({
  id: 'SubscriptionChannel',
  family: 'catalogs',
  severity: 'warning',
  checks: 'The package of a Subscription has the channel, as far as its catalog is known here.',
  why: 'One Subscription that cannot be resolved stops every other one of its namespace.',
  otherwise:
    'constraints not satisfiable: no operators found in channel … of package … in the catalog referenced by subscription …',
  instead: 'Correct spec.channel, or leave it out to follow the default channel.',
  source: from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
  example: {
    before: queueCatalog,
    after: exampleSubscription('channel: stabel'),
    says: 'no operators found in channel stabel of package queue',
    accepted: exampleSubscription(),
  },
  *judge(context) {
    const found = context.fact(subscribed);
    if (found?.defaultChannel === undefined || found.channel !== undefined) return;
    const { subscription, channels } = found;
    const names = channels.map(({ name }) => name).sort();
    const guess = didYouMean(subscription.channel, names) || `; it has ${names.join(', ')}`;
    yield {
      message: `no operators found in channel ${subscription.channel} of package ${subscription.package} in the catalog ${subscription.catalog}${guess}`,
      path: '$.spec.channel',
    };
  },
});
