import { exampleSubscription } from '../example-objects.js';
import { deprecating } from '../../../../rule/index.js';
import { defineSubscriptionRule } from '../rule.js';
import { deprecated, said, subscribed } from './subscribed-package.js';

export const channelDeprecated = defineSubscriptionRule({
  ...deprecated,
  id: 'ChannelDeprecated',
  checks: 'The channel that a Subscription follows is not deprecated by its catalog.',
  otherwise: 'condition ChannelDeprecated: olm.channel/…: …',
  example: {
    before: deprecating('{ schema: olm.channel, name: old }', 'use stable'),
    after: exampleSubscription('channel: old'),
    says: 'use stable',
    accepted: exampleSubscription('channel: stable'),
  },
  *judge(context) {
    const found = context.fact(subscribed);
    if (found?.channel === undefined) return;
    const message = said(found).channels.get(found.channel.name);
    if (message === undefined) return;
    const byDefault = found.subscription.channel === '' ? ' (the default channel)' : '';
    yield { message: `${message}${byDefault}`, path: '$.spec.channel' };
  },
});
