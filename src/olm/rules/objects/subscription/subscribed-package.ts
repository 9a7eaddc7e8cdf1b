import { type CatalogBundle, type CatalogChannel, contentsOf } from '../../../catalogs/catalog.js';
import { nextBundle } from '../../../catalogs/upgrades/explain-paths.js';
import { packageOf } from '../../../catalogs/upgrades/upgrade-path.js';
import { type Deprecations, deprecationsOf } from '../../../objects/deprecations.js';
import { textAt } from '../../../../text/documents/fields.js';
import type { KnownCatalog } from '../../../objects/view.js';
import { readSubscription, type Subscription } from '../../../objects/classic-objects.js';
import { from, sources } from '../../../../rule/index.js';
import type { RuleContext } from '../rule.js';

export interface SubscribedPackage {
  readonly subscription: Subscription;
  readonly catalog: KnownCatalog;
  readonly defaultChannel: string | undefined;
  readonly channels: readonly CatalogChannel[];
  /** That of the Subscription, or the default; `""` for neither. */
  readonly followedChannel: string;
  readonly channel: CatalogChannel | undefined;
  readonly installed: string;
  readonly startingCSV: string;
}

export function subscribed({
  object,
  oldObject,
  view,
}: RuleContext): SubscribedPackage | undefined {
  const subscription = readSubscription(object);
  if (subscription.catalogNamespace !== view.globalCatalogNamespace) return undefined;
  const catalog = view.knownCatalogs?.find(({ name }) => name === subscription.catalog);
  if (catalog === undefined) return undefined;
  const { packages, channels: all } = catalog.catalog;
  const defaultChannel = packages.find(({ name }) => name === subscription.package)?.defaultChannel;
  const channels = all.filter((channel) => channel.package === subscription.package);
  const followedChannel = subscription.channel || (defaultChannel ?? '');
  return {
    subscription,
    catalog,
    defaultChannel,
    channels,
    followedChannel,
    channel: channels.find(({ name }) => name === followedChannel),
    installed:
      textAt(object, 'status', 'installedCSV') ??
      textAt(oldObject ?? undefined, 'status', 'installedCSV') ??
      '',
    startingCSV: textAt(object, 'spec', 'startingCSV') ?? '',
  };
}

export const deprecated = {
  severity: 'warning',
  family: 'catalogs',
  source: sources(
    from.olm(
      'pkg/controller/operators/catalog/subscription/reconciler.go',
      'updateDeprecatedStatus',
    ),
    from.olmPages('File-based Catalogs'),
  ),
  why: 'Resolution goes on all the same, and OLM says so in a condition only once it is installed; the message says what to use instead.',
  instead: 'Subscribe to what the message names.',
} as const;

export function said({ catalog, subscription }: SubscribedPackage): Deprecations {
  return deprecationsOf(catalog.catalog, subscription.package);
}

export function followed(context: RuleContext) {
  const found = context.fact(subscribed);
  if (found === undefined) return undefined;
  const { subscription, catalog, followedChannel, installed } = found;
  const { package: packageName } = subscription;
  const contents = packageOf(catalog.catalog, packageName, catalog);
  const question = {
    ...{ packageName, channel: followedChannel },
    ...(installed !== '' && { installed }),
  };
  return contents && { contents, question };
}

/** The bundle that OLM installs next, by the channel that is followed. */
export function bundleAhead(context: RuleContext): CatalogBundle | undefined {
  const found = context.fact(subscribed);
  if (found === undefined) return undefined;
  const { installed, startingCSV, subscription } = found;
  const way = context.fact(followed);
  const csv =
    installed === '' && startingCSV !== ''
      ? startingCSV
      : way && nextBundle(way.contents, way.question);
  const { bundles } = contentsOf(found.catalog.catalog, subscription.package);
  return bundles.find(({ name }) => name === csv);
}
