import { exampleSubscription } from '../example-objects.js';
import { deprecating } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';
import { deprecated, said, subscribed } from './subscribed-package.js';

export const packageDeprecated = defineSubscriptionRule({
  ...deprecated,
  id: 'PackageDeprecated',
  checks: 'The package of a Subscription is not deprecated by its catalog.',
  otherwise: 'condition PackageDeprecated: olm.package/…: …',
  example: {
    before: deprecating('{ schema: olm.package }', 'use topic'),
    after: exampleSubscription('channel: stable'),
    says: 'use topic',
    accepted: exampleSubscription('channel: stable', { package: 'topic' }),
  },
  *judge(context) {
    const found = context.fact(subscribed);
    const message = found === undefined ? undefined : said(found).package;
    if (message !== undefined) yield { message, path: '$.spec.name' };
  },
});
