import { formatVersion } from '../../../text/versions/index.js';
import { type BundleVersion, bundleVersion } from './bundle-version.js';
import { possibleEdgesOf } from './channel-edges.js';
import { entriesByName, type Origin, type PlacedEntry } from './edges.js';
import type { Bundle } from '../catalog.js';
import type { PackageInCatalog } from './model.js';
import { compareVersionReleases, type VersionRelease } from './release.js';
import { groupBy } from '../../../text/group.js';

interface RankedBundle {
  readonly bundle: Bundle;
  readonly versionRelease: VersionRelease | undefined;
  readonly deprecated: boolean;
}

export interface PackageIndex {
  readonly package: PackageInCatalog;
  /** Best first: not deprecated before deprecated, then the higher version; otherwise as in the catalog. */
  readonly ranked: readonly RankedBundle[];
  readonly entries: ReadonlyMap<string, readonly PlacedEntry[]>;
  /** Best first; every one that may follow, or is the same version and release, is among them. */
  readonly following: (installed: Origin, same: VersionRelease) => readonly RankedBundle[];
}

/** @param bundleReleaseSupport whether a bundle's own `release` counts (a feature gate) */
export function indexPackage(
  catalog: PackageInCatalog,
  bundleReleaseSupport: boolean,
): PackageIndex {
  const entries = entriesByName(catalog.channels);
  const ranked = catalog.bundles
    .map((bundle) => rank(bundle, bundleVersion(bundle, bundleReleaseSupport), catalog))
    .sort(compareRanked);
  const places = groupBy(ranked.keys(), (place) => ranked[place]?.bundle.name);
  const versions = groupBy(ranked.keys(), (place) => {
    const { versionRelease } = ranked[place] ?? {};
    return versionRelease && versionKey(versionRelease);
  });
  const edges = possibleEdgesOf([...entries.values()].flat().map(({ entry }) => entry));
  return {
    package: catalog,
    ranked,
    entries,
    following(installed, same) {
      const found = new Set(versions.get(versionKey(same)));
      for (const { name } of edges.from(installed)) {
        for (const place of places.get(name) ?? []) found.add(place);
      }
      return [...found].sort((a, b) => a - b).flatMap((place) => ranked[place] ?? []);
    },
  };
}

/** The same text for versions and releases that are equal; build metadata does not count. */
function versionKey({ version, release }: VersionRelease): string {
  return `${formatVersion({ ...version, build: [] })}+${release.join('.')}`;
}

function rank(bundle: Bundle, version: BundleVersion, catalog: PackageInCatalog): RankedBundle {
  return {
    bundle,
    versionRelease: 'error' in version ? undefined : version,
    deprecated: catalog.deprecatedBundles.has(bundle.name),
  };
}

/** A version that cannot be read is the lowest. */
function compareRanked(a: RankedBundle, b: RankedBundle): number {
  if (a.deprecated !== b.deprecated) return a.deprecated ? 1 : -1;
  if (a.versionRelease === undefined || b.versionRelease === undefined) {
    return Number(a.versionRelease === undefined) - Number(b.versionRelease === undefined);
  }
  return compareVersionReleases(b.versionRelease, a.versionRelease);
}
