import { exampleSubscription } from '../example-objects.js';
import { didYouMean } from '../../../../text/nearest.js';
import { from, queueCatalog } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';
import { subscribed } from './subscribed-package.js';

export const subscriptionStartingCsv = defineSubscriptionRule({
  id: 'SubscriptionStartingCSV',
  family: 'catalogs',
  severity: 'warning',
  checks:
    'The startingCSV of a Subscription is a bundle of its channel, as far as its catalog is known here.',
  why: 'OLM finds nothing to install otherwise, and one Subscription that cannot be resolved stops every other one of its namespace. startingCSV counts only until something is installed.',
  otherwise:
    'constraints not satisfiable: no operators found with name … in channel … of package … in the catalog referenced by subscription …',
  instead: 'Name a bundle as the channel has it, or leave startingCSV out to begin with the head.',
  source: from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
  example: {
    before: queueCatalog,
    after: exampleSubscription('channel: stable, startingCSV: queue.v1.0'),
    says: 'no operators found with name queue.v1.0 in channel stable',
    accepted: exampleSubscription('channel: stable, startingCSV: queue.v1.0.0'),
  },
  *judge(context) {
    const found = context.fact(subscribed);
    if (found?.channel === undefined) return;
    const { subscription, startingCSV, installed, channel, channels } = found;
    if (startingCSV === '' || installed !== '') return;
    const names = channel.entries.map(({ name }) => name);
    if (names.includes(startingCSV)) return;
    const elsewhere = channels
      .filter(({ entries }) => entries.some(({ name }) => name === startingCSV))
      .map(({ name }) => name);
    const hint =
      elsewhere.length > 0
        ? `; it is in ${elsewhere.sort().join(', ')}`
        : didYouMean(startingCSV, names);
    yield {
      message: `no operators found with name ${startingCSV} in channel ${channel.name} of package ${subscription.package} in the catalog ${subscription.catalog}${hint}`,
      path: '$.spec.startingCSV',
    };
  },
});
