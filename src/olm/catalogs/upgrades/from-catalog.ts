import { oncePer } from '../../once.js';
import { contentsOf, type Bundle, type Catalog } from '../catalog.js';
import { formatVersion } from '../../../text/versions/index.js';
import { bundleVersion } from './bundle-version.js';
import type { ClassicChannel } from './classic-path.js';
import type { PackageInCatalog } from './model.js';

export function packageOf(
  catalog: Catalog,
  packageName: string,
  { name, priority = 0 }: { readonly name: string; readonly priority?: number },
): PackageInCatalog | undefined {
  const contents = contentsOf(catalog, packageName);
  const isKnown =
    contents.channels.length + contents.bundles.length > 0 ||
    catalog.packages.some((each) => each.name === packageName) ||
    [...catalog.deprecations, ...catalog.others].some((each) => each.package === packageName);
  return isKnown ? { catalog: name, priority, ...contents } : undefined;
}

/** The channels of a package with each entry's version, as OLM classic knows them. */
export const classicChannels = oncePer(
  ({ channels, bundles }: PackageInCatalog): readonly ClassicChannel[] => {
    const versions = new Map(bundles.map((bundle) => [bundle.name, versionText(bundle)]));
    return channels.map(({ name, entries }) => ({
      name,
      entries: entries.map((entry) => ({ ...entry, version: versions.get(entry.name) ?? '' })),
    }));
  },
);

function versionText(bundle: Bundle): string {
  const version = bundleVersion(bundle, false);
  return 'error' in version ? '' : formatVersion(version.version);
}
