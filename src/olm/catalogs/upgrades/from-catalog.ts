/** Takes one package out of a loaded catalog, in the shape in which this room looks at packages. */
import type { Catalog } from '../index.js';
import { formatVersion } from '../../../text/versions/index.js';
import { bundleVersion } from './bundle-version.js';
import type { ClassicChannel } from './classic-path.js';
import type { CatalogPackage } from './model.js';

/** @returns undefined when the catalog has nothing of the package */
export function packageOf(
  catalog: Catalog,
  packageName: string,
  { name, priority = 0 }: { readonly name: string; readonly priority?: number },
): CatalogPackage | undefined {
  const isOwn = (object: { readonly package: string }): boolean => object.package === packageName;
  const channels = catalog.channels.filter(isOwn);
  const bundles = catalog.bundles.filter(isOwn);
  const [deprecation] = catalog.deprecations.filter(isOwn);
  const exists =
    channels.length > 0 ||
    bundles.length > 0 ||
    deprecation !== undefined ||
    catalog.packages.some((each) => each.name === packageName) ||
    catalog.others.some(isOwn);
  if (!exists) return undefined;
  const deprecated = (deprecation?.entries ?? []).filter(({ schema }) => schema === 'olm.bundle');
  return {
    catalog: name,
    priority,
    channels,
    bundles,
    deprecatedBundles: new Set(deprecated.map((bundle) => bundle.name)),
  };
}

/** The channels of a package with each entry's version, as OLM classic knows them. */
export function classicChannels({ channels, bundles }: CatalogPackage): ClassicChannel[] {
  const versions = new Map(bundles.map((bundle) => [bundle.name, versionText(bundle)]));
  return channels.map(({ name, entries }) => ({
    name,
    entries: entries.map((entry) => ({ ...entry, version: versions.get(entry.name) ?? '' })),
  }));
}

function versionText(bundle: CatalogPackage['bundles'][number]): string {
  const version = bundleVersion(bundle, false);
  return 'error' in version ? '' : formatVersion(version.version);
}
