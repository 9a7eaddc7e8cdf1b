import { exampleSubscription } from '../example-objects.js';
import { didYouMean } from '../../../../text/nearest.js';
import { from, queueCatalog } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';
import { subscribed } from './subscribed-package.js';

export const subscriptionPackage = defineSubscriptionRule({
  id: 'SubscriptionPackage',
  family: 'catalogs',
  severity: 'warning',
  checks:
    'The catalog that a Subscription names has the package, as far as its contents are known here.',
  why: 'One Subscription that cannot be resolved stops every other one of its namespace.',
  otherwise:
    'constraints not satisfiable: no operators found in package … in the catalog referenced by subscription …',
  instead: 'Correct spec.name, or name the catalog that has the package.',
  source: from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
  example: {
    before: queueCatalog,
    after: exampleSubscription('channel: stable', { package: 'quue' }),
    says: 'no operators found in package quue in the catalog community (did you mean "queue"?)',
    accepted: exampleSubscription('channel: stable'),
  },
  *judge(context) {
    const found = context.fact(subscribed);
    if (found === undefined || found.defaultChannel !== undefined) return;
    const { subscription, catalog } = found;
    const names = catalog.catalog.packages.map(({ name }) => name);
    yield {
      message: `no operators found in package ${subscription.package} in the catalog ${subscription.catalog}${didYouMean(subscription.package, names)}`,
      path: '$.spec.name',
    };
  },
});
