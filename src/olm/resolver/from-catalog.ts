import { contentsOf, type Catalog, type CatalogBundle as Bundle } from '../catalogs/index.js';
import type { CatalogBundle, CatalogPackage, CatalogState } from './namespace.js';
import type { Property } from './requirement.js';

/** Values that were not kept when the catalog was read are no dependencies, and left out. */
export function catalogState(
  catalog: Catalog,
  source: { readonly name: string; readonly namespace: string; readonly priority: number },
): CatalogState {
  const packages = catalog.packages.map(({ name, defaultChannel }): CatalogPackage => {
    const { channels, bundles } = contentsOf(catalog, name);
    return { name, defaultChannel, channels, bundles: bundles.map(listed) };
  });
  return { ...source, packages };
}

function listed({ name, packageProperties, properties }: Bundle): CatalogBundle {
  return {
    name,
    version: packageProperties[0]?.version ?? '',
    properties: properties.flatMap(({ type, value }): Property[] =>
      value === undefined ? [] : [{ type, value }],
    ),
  };
}
