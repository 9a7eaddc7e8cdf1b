/** A file-based catalog as a CatalogSource shows it to the resolver. */
import type { Catalog } from '../catalogs/index.js';
import type { CatalogPackage, CatalogState, ChannelEntry } from './namespace.js';
import type { Property } from './requirement.js';
import { groupBy } from '../../text/group.js';

/**
 * Joins channels and bundles to their packages, in the catalog's order. Values that were not kept when
 * the catalog was read are no dependencies, and left out.
 */
export function catalogState(
  catalog: Catalog,
  source: { readonly name: string; readonly namespace: string; readonly priority: number },
): CatalogState {
  const channels = groupBy(catalog.channels, (each) => each.package);
  const bundles = groupBy(catalog.bundles, (each) => each.package);
  const packages = catalog.packages.map(({ name, defaultChannel }): CatalogPackage => ({
    name,
    defaultChannel,
    channels: (channels.get(name) ?? []).map((channel) => ({
      name: channel.name,
      entries: channel.entries.map((entry): ChannelEntry => entry),
    })),
    bundles: (bundles.get(name) ?? []).map((bundle) => ({
      name: bundle.name,
      version: bundle.packageProperties[0]?.version ?? '',
      properties: bundle.properties.flatMap(({ type, value }): Property[] =>
        value === undefined ? [] : [{ type, value }],
      ),
    })),
  }));
  return { ...source, packages };
}
