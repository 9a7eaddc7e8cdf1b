import { exampleSubscription } from '../example-objects.js';
import { type CatalogChannel, channelHeads } from '../../../catalogs/index.js';
import { deprecating } from '../../../../rule/index.js';
import { defineOlmRule } from '../rule.js';
import { deprecated, said, subscribed } from './subscribed-package.js';

export const bundleDeprecated = defineOlmRule({
  ...deprecated,
  id: 'BundleDeprecated',
  checks:
    'The bundle that a Subscription has installed, or would install first, is not deprecated by its catalog.',
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
    const { installed, startingCSV, channel } = found;
    const next = installed || startingCSV || headOf(channel);
    const message = next === undefined ? undefined : said(found).bundles.get(next);
    if (message === undefined) return;
    yield { message, path: startingCSV === '' ? '$.spec.channel' : '$.spec.startingCSV' };
  },
});

/** The entry that would be installed first; undefined when the channel has not exactly one head. */
function headOf(channel: CatalogChannel | undefined): string | undefined {
  const heads = channel === undefined ? [] : channelHeads(channel.entries);
  return heads.length === 1 ? heads[0]?.name : undefined;
}
