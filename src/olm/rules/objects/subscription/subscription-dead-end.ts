import { exampleSubscription } from '../example-objects.js';
import { updateDeadEnd } from '../../../catalogs/upgrades/index.js';
import { from, queueCatalog, sources } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';
import { followed } from './subscribed-package.js';

export const subscriptionDeadEnd = defineSubscriptionRule({
  id: 'SubscriptionDeadEnd',
  family: 'catalogs',
  severity: 'warning',
  checks:
    'An entry of the channel that a Subscription follows takes over from what is installed, where the channel has a higher version.',
  why: 'OLM stays where it is, and no condition or event says so. It happens where spec.channel is changed.',
  otherwise: 'status.state: AtLatestKnown, and nothing else',
  instead:
    'Follow a channel that takes over from what is installed, or have the author of the catalog add the edge.',
  source: sources(
    from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
    from.olmPages('Creating an Update Graph'),
  ),
  messages: { stuck: '{sentence}' },
  example: {
    before: queueCatalog,
    after: exampleSubscription('channel: stable', { status: 'installedCSV: queue.v0.9.0' }),
    says: 'queue.v0.9.0 is a dead end: nothing on the chain of channel stable, whose head is queue.v1.2.0, replaces, skips or covers it',
    accepted: exampleSubscription('channel: stable', { status: 'installedCSV: queue.v1.0.0' }),
  },
  *judge(context) {
    const way = context.fact(followed);
    const sentence = way && updateDeadEnd(way.contents, way.question);
    if (sentence !== undefined) yield { id: 'stuck', data: { sentence }, path: '$.spec.channel' };
  },
});
