/** Until when versions of a package are supported, as catalogs say it, a sentence each. */
import { supportOf, supportText } from '../../olm/index.js';
import type { KnownCatalog } from '../options/known-catalogs.js';

export function supportDates(
  packageName: string,
  versions: Iterable<string>,
  catalogs: readonly KnownCatalog[],
  now: Date,
): string[] {
  const today = now.toISOString().slice(0, 10);
  const sentences = [...versions].flatMap((asked) => {
    const version = versionOf(packageName, asked, catalogs);
    for (const { catalog } of catalogs) {
      const support = supportOf(catalog, packageName, version, today);
      if (support !== undefined) return [supportText(packageName, version, support)];
    }
    return [];
  });
  return [...new Set(sentences)];
}

function versionOf(packageName: string, asked: string, catalogs: readonly KnownCatalog[]): string {
  for (const { catalog } of catalogs) {
    const bundle = catalog.bundles.find(
      ({ name, package: of }) => of === packageName && name === asked,
    );
    const version = bundle?.packageProperties[0]?.version;
    if (version !== undefined) return version;
  }
  return asked.replace(/^.*?\.v(?=\d)/, '');
}
