/** What a Subscription asks of its catalog, and whether the catalog has it. */
import { channelHeads } from '../../catalogs/index.js';
import type { CatalogChannel } from '../../catalogs/index.js';
import { didYouMean } from '../../text/nearest.js';
import { deprecationsOf, type Deprecations } from '../../olm/deprecations.js';
import { textAt } from '../../olm/fields.js';
import type { KnownCatalog } from '../../olm/known-catalog.js';
import { oncePer } from '../../olm/once.js';
import { defineRule, type RuleContext } from './rule.js';
import { readSubscription, type Subscription } from '../../olm/subscription.js';
import { from, sources } from '../source.js';

interface SubscribedPackage {
  readonly subscription: Subscription;
  readonly catalog: KnownCatalog;
  /** Undefined when the catalog has no such package. */
  readonly defaultChannel: string | undefined;
  readonly channels: readonly CatalogChannel[];
  /** The channel that it follows, if the catalog has it. */
  readonly channel: CatalogChannel | undefined;
  /** As OLM has installed it; `""` before. */
  readonly installed: string;
  readonly startingCSV: string;
}

/** Undefined when the contents of its catalog are not known. */
const subscribed = oncePer((context: RuleContext): SubscribedPackage | undefined => {
  const { object, oldObject, view } = context;
  const subscription = readSubscription(object);
  if (subscription.catalogNamespace !== view.globalCatalogNamespace) return undefined;
  const catalog = view.knownCatalogs?.find(({ name }) => name === subscription.catalog);
  if (catalog === undefined) return undefined;
  const { packages, channels: all } = catalog.catalog;
  const defaultChannel = packages.find(({ name }) => name === subscription.package)?.defaultChannel;
  const channels = all.filter((channel) => channel.package === subscription.package);
  const followed = subscription.channel === '' ? defaultChannel : subscription.channel;
  return {
    subscription,
    catalog,
    defaultChannel,
    channels,
    channel: channels.find(({ name }) => name === followed),
    installed:
      textAt(object, 'status', 'installedCSV') ??
      textAt(oldObject ?? undefined, 'status', 'installedCSV') ??
      '',
    startingCSV: textAt(object, 'spec', 'startingCSV') ?? '',
  };
});

const common = {
  kind: 'Subscription',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'catalogs',
} as const;

export const subscriptionPackage = defineRule({
  ...common,
  name: 'SubscriptionPackage',
  prevents:
    'constraints not satisfiable: no operators found in package … in the catalog referenced by subscription …',
  source: from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
  explain:
    'The catalog that the Subscription names, as it is known here, has no package of this name. One Subscription that cannot be resolved stops every other one of its namespace.',
  *check(context) {
    const found = subscribed(context);
    if (found === undefined || found.defaultChannel !== undefined) return;
    const { subscription, catalog } = found;
    const names = catalog.catalog.packages.map(({ name }) => name);
    yield {
      message: `no operators found in package ${subscription.package} in the catalog ${subscription.catalog}${didYouMean(subscription.package, names)}`,
      path: '$.spec.name',
    };
  },
});

export const subscriptionChannel = defineRule({
  ...common,
  name: 'SubscriptionChannel',
  prevents:
    'constraints not satisfiable: no operators found in channel … of package … in the catalog referenced by subscription …',
  source: from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
  explain:
    'The package has no channel of this name in the catalog as it is known here. One Subscription that cannot be resolved stops every other one of its namespace.',
  *check(context) {
    const found = subscribed(context);
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

export const subscriptionStartingCsv = defineRule({
  ...common,
  name: 'SubscriptionStartingCSV',
  prevents:
    'constraints not satisfiable: no operators found with name … in channel … of package … in the catalog referenced by subscription …',
  source: from.olm('pkg/controller/registry/resolver/resolver.go', 'getSubscriptionVariables'),
  explain:
    'startingCSV must be the name of a bundle in the channel, as the catalog has it. It counts only until something is installed.',
  *check(context) {
    const found = subscribed(context);
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

const deprecated = {
  ...common,
  source: sources(
    from.olm(
      'pkg/controller/operators/catalog/subscription/reconciler.go',
      'updateDeprecatedStatus',
    ),
    from.olmPages('File-based Catalogs'),
  ),
  explain:
    'The catalog’s author has deprecated what the Subscription names; the message says what to use instead. Resolution goes on all the same, and OLM says so in a condition only once it is installed.',
} as const;

export const packageDeprecated = defineRule({
  ...deprecated,
  name: 'PackageDeprecated',
  prevents: 'condition PackageDeprecated: olm.package/…: …',
  *check(context) {
    const found = subscribed(context);
    const message = found === undefined ? undefined : said(found).package;
    if (message !== undefined) yield { message, path: '$.spec.name' };
  },
});

export const channelDeprecated = defineRule({
  ...deprecated,
  name: 'ChannelDeprecated',
  prevents: 'condition ChannelDeprecated: olm.channel/…: …',
  *check(context) {
    const found = subscribed(context);
    if (found?.channel === undefined) return;
    const message = said(found).channels.get(found.channel.name);
    if (message === undefined) return;
    const byDefault = found.subscription.channel === '' ? ' (the default channel)' : '';
    yield { message: `${message}${byDefault}`, path: '$.spec.channel' };
  },
});

export const bundleDeprecated = defineRule({
  ...deprecated,
  name: 'BundleDeprecated',
  prevents: 'condition BundleDeprecated: olm.bundle/…: …',
  *check(context) {
    const found = subscribed(context);
    if (found === undefined) return;
    const { installed, startingCSV, channel } = found;
    const next = installed || startingCSV || headOf(channel);
    const message = next === undefined ? undefined : said(found).bundles.get(next);
    if (message === undefined) return;
    yield { message, path: startingCSV === '' ? '$.spec.channel' : '$.spec.startingCSV' };
  },
});

function said({ catalog, subscription }: SubscribedPackage): Deprecations {
  return deprecationsOf(catalog.catalog, subscription.package);
}

/** What would be installed first; undefined when the channel has not exactly one head. */
function headOf(channel: CatalogChannel | undefined): string | undefined {
  const heads = channel === undefined ? [] : channelHeads(channel.entries);
  return heads.length === 1 ? heads[0]?.name : undefined;
}
