import { exampleSubscription } from '../examples.js';
import { didYouMean } from '../../../../text/nearest.js';
import { deprecating, from, queueCatalog, sources } from '../../../../rule/index.js';
import { defineOlmRule, defineSubscriptionRule } from '../rule.js';
import { bundleAhead, deprecated, followed, said, subscribed } from './subscribed-package.js';
import { limitAhead, limitSource } from '../cluster-version/cluster-update-blocked.js';
import { updateDeadEnd } from '../../../catalogs/upgrades/explain-paths.js';

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

export const subscriptionLimitsCluster = defineOlmRule({
  id: 'SubscriptionLimitsCluster',
  subject: 'Subscription',
  family: 'resolution',
  severity: 'warning',
  protects: 'cluster',
  checks:
    'The bundle that OLM installs next for a Subscription works on the next minor version of OpenShift, as far as the catalog is known here.',
  withoutNames: 'the bundle that OLM installs next keeps OpenShift at its minor version',
  why: 'OLM installs it all the same, and the cluster refuses its next update afterwards.',
  otherwise:
    'ClusterServiceVersions blocking cluster upgrade: … is incompatible with OpenShift minor versions greater than …',
  instead: 'Update the cluster first, or wait for a release without the limit.',
  source: limitSource,
  messages: { limits: '{sentence}' },
  example: {
    before: `
      { kind: ClusterVersion, metadata: { name: version }, status: { desired: { version: 4.18.3 } } }
      ---
      { schema: olm.package, name: cats, defaultChannel: stable }
      ---
      { schema: olm.channel, package: cats, name: stable, entries: [{ name: cats.v1.0.0 }] }
      ---
      { schema: olm.channel, package: cats, name: next, entries: [{ name: cats.v2.0.0 }] }
      ---
      { schema: olm.bundle, package: cats, name: cats.v1.0.0, image: quay.io/example/cats:1, properties: [{ type: olm.package, value: { packageName: cats, version: 1.0.0 } }, { type: olm.maxOpenShiftVersion, value: "4.18" }] }
      ---
      { schema: olm.bundle, package: cats, name: cats.v2.0.0, image: quay.io/example/cats:2, properties: [{ type: olm.package, value: { packageName: cats, version: 2.0.0 } }] }`,
    after: exampleSubscription('channel: stable', { package: 'cats' }),
    says: 'cats.v1.0.0 works on OpenShift up to 4.18: once it is installed, the cluster (4.18.3) does not go to its next minor version',
    accepted: exampleSubscription('channel: next', { package: 'cats' }),
  },
  *judge(context) {
    const catalog = context.fact(subscribed)?.catalog;
    const sentence = limitAhead(
      catalog === undefined ? [] : [catalog],
      context.fact(bundleAhead)?.name,
      context.view,
    );
    if (sentence !== undefined) yield { id: 'limits', data: { sentence }, path: '$.spec' };
  },
});

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
