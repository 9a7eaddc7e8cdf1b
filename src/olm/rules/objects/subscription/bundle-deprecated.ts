import { exampleSubscription } from '../example-objects.js';
import { deprecating } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';
import { bundleAhead, deprecated, said, subscribed } from './subscribed-package.js';

export const bundleDeprecated = defineSubscriptionRule({
  ...deprecated,
  id: 'BundleDeprecated',
  checks:
    'The bundle that a Subscription has installed, and the one that OLM installs next, are not deprecated by its catalog.',
  otherwise: 'condition BundleDeprecated: olm.bundle/…: …',
  example: {
    before: deprecating('{ schema: olm.bundle, name: queue.v1.0.0 }', 'has a leak'),
    after: exampleSubscription('channel: stable, startingCSV: queue.v1.0.0'),
    says: 'has a leak',
    accepted: exampleSubscription('channel: stable'),
  },
  *judge(context) {
    const found = context.fact(subscribed);
    if (found === undefined) return;
    const { installed, startingCSV } = found;
    const ahead = context.fact(bundleAhead)?.name ?? startingCSV;
    for (const name of new Set([installed, ahead])) {
      const message = said(found).bundles.get(name);
      if (message === undefined) continue;
      yield { message, path: startingCSV === '' ? '$.spec.channel' : '$.spec.startingCSV' };
    }
  },
});
