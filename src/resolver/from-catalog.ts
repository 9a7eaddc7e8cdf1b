/** A file-based catalog as a CatalogSource shows it to the resolver. */
import type { Catalog } from '../catalogs/index.js';
import type { CatalogPackage, CatalogState, ChannelEntry } from './namespace.js';
import type { Property } from './requirement.js';

/**
 * Joins channels and bundles to their packages, in the catalog's order. Values that were not kept when
 * the catalog was read are no dependencies, and left out.
 */
export function catalogState(
  catalog: Catalog,
  source: { readonly name: string; readonly namespace: string; readonly priority: number },
): CatalogState {
  return { ...source, packages: [...catalogPackages(catalog)] };
}

/** Its packages one by one, for catalogs so large that the caller has to pause in between. */
export function* catalogPackages(catalog: Catalog): Generator<CatalogPackage> {
  const channels = byPackage(catalog.channels);
  const bundles = byPackage(catalog.bundles);
  for (const { name, defaultChannel } of catalog.packages) {
    yield {
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
    };
  }
}

function byPackage<Item extends { readonly package: string }>(
  items: readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const map = new Map<string, Item[]>();
  for (const item of items) {
    const list = map.get(item.package);
    if (list === undefined) map.set(item.package, [item]);
    else list.push(item);
  }
  return map;
}
