/**
 * The highest version that fits wins; the graph is not validated. Rule: operator-controller CatalogResolver.Resolve.
 */
import {
  formatVersion,
  InvalidVersionError,
  parseMastermindsRange,
  type Version,
} from '../../../text/versions/index.js';
import {
  bundleVersion,
  type BundleVersion,
  compareVersionReleases,
  parseExplicitRelease,
  parseLegacyVersion,
  type VersionRelease,
} from './release.js';
import { edgesTo, entriesByName, type Origin, type PlacedEntry, possibleEdgesOf } from './edges.js';
import type { Bundle } from '../catalog.js';
import {
  type Edge,
  type InstalledBundle,
  type PackageInCatalog,
  ResolutionError,
} from './upgrade-path.js';
import type { InstallRequest } from './extension-config.js';
import { compareBytes, quote } from '../../../text/go/index.js';
import { groupBy } from '../../../text/group.js';
import { attempt, valueUnless } from '../../once.js';

export interface V1Request {
  readonly packageName: string;
  readonly catalogs: readonly PackageInCatalog[];
  readonly installed?: InstalledBundle | undefined;
  /** A range in Masterminds' dialect; "" is none. */
  readonly version?: string;
  readonly channels?: readonly string[];
  readonly upgradeConstraintPolicy?: 'CatalogProvided' | 'SelfCertified' | undefined;
  /** Undefined where no ClusterExtension says how bundles are installed. */
  readonly install?: InstallRequest;
  readonly bundleReleaseSupport?: boolean;
}

type V1Changes = Partial<Pick<V1Request, 'installed' | 'version' | 'channels'>>;

export interface Candidate {
  readonly catalog: string;
  readonly priority: number;
  readonly name: string;
  readonly versionRelease: VersionRelease | undefined;
  readonly deprecated: boolean;
  /** Why it is an update; empty for a first installation, for staying put and for SelfCertified. */
  readonly edges: readonly Edge[];
}

export interface V1Resolution {
  readonly chosen: Candidate & { readonly versionRelease: VersionRelease };
  /** Same version and release as what is installed. */
  readonly stays: boolean;
  readonly passedOver: readonly Candidate[];
}

type Installed = InstalledBundle & {
  readonly versionRelease: VersionRelease;
  readonly parsed: Version;
};
type Rated = Candidate & { readonly bundle: Bundle };

/** Throws {@link ResolutionError} with operator-controller's text. */
export function resolveV1(request: V1Request): V1Resolution {
  return v1Resolver(request)({});
}

/** Answers several questions about the same package; its catalogs are indexed once, for the first. */
export function v1Resolver(asked: V1Request): (changes: V1Changes) => V1Resolution {
  const { catalogs, bundleReleaseSupport = false } = asked;
  let indexes: readonly PackageIndex[] | undefined;
  return (changes) => {
    const request = { ...asked, ...changes };
    const range = readRange(request.version ?? '');
    indexes ??= catalogs.map((catalog) => indexPackage(catalog, bundleReleaseSupport));
    return choose(
      request,
      indexes.map((index) => candidatesIn(index, request, range)),
    );
  };
}

function choose(request: V1Request, perCatalog: readonly Rated[][]): V1Resolution {
  const best = chooseCatalogs(perCatalog.flatMap((candidates) => candidates.slice(0, 1)));
  const [chosen] = best;
  if (chosen === undefined || best.length > 1) throw new ResolutionError(ambiguity(request, best));
  const versionRelease = bundleVersion(chosen.bundle, request.bundleReleaseSupport ?? false);
  if ('error' in versionRelease) {
    throw new ResolutionError(
      `error getting resolved bundle version for bundle ${quote(chosen.name)}: ${versionRelease.error}`,
    );
  }
  rejectDependencies(chosen.bundle);
  return {
    chosen: { ...chosen, versionRelease },
    stays: isInstalled(request.installed, versionRelease),
    passedOver: perCatalog.flat().filter((candidate) => candidate !== chosen),
  };
}

function readRange(text: string): ((version: Version) => boolean) | undefined {
  if (text === '') return undefined;
  const range = attempt(InvalidVersionError, () => parseMastermindsRange(text));
  if (!(range instanceof InvalidVersionError)) return range;
  throw new ResolutionError(`desired version range ${quote(text)} is invalid: ${range.message}`);
}

function candidatesIn(
  { package: catalog, ranked, entries, following }: PackageIndex,
  request: V1Request,
  range: ((version: Version) => boolean) | undefined,
): Rated[] {
  const pinned = new Set(request.channels ?? []);
  const placesOf = (name: string): readonly PlacedEntry[] => {
    const placed = entries.get(name) ?? [];
    return pinned.size === 0 ? placed : placed.filter(({ channel }) => pinned.has(channel));
  };
  const installed =
    request.upgradeConstraintPolicy === 'SelfCertified'
      ? undefined
      : readInstalled(request.installed);
  const possible =
    installed === undefined
      ? ranked
      : following({ name: installed.name, version: installed.parsed }, installed.versionRelease);
  const candidates: Rated[] = [];
  for (const { bundle, versionRelease, deprecated } of possible) {
    if (pinned.size > 0 && placesOf(bundle.name).length === 0) continue;
    if (range !== undefined && (versionRelease === undefined || !range(versionRelease.version)))
      continue;
    const edges = edgesFrom(installed, placesOf(bundle.name), versionRelease);
    if (edges === undefined) continue;
    candidates.push({
      catalog: catalog.catalog,
      priority: catalog.priority,
      name: bundle.name,
      versionRelease,
      deprecated,
      edges,
      bundle,
    });
  }
  return candidates;
}

function edgesFrom(
  installed: Installed | undefined,
  entries: readonly PlacedEntry[],
  candidate: VersionRelease | undefined,
): Edge[] | undefined {
  if (installed === undefined) return [];
  const edges = edgesTo(entries, { name: installed.name, version: installed.parsed });
  if (edges.length > 0) return edges;
  const same =
    candidate !== undefined && compareVersionReleases(installed.versionRelease, candidate) === 0;
  return same ? [] : undefined;
}

function readInstalled(installed: InstalledBundle | undefined): Installed | undefined {
  if (installed === undefined) return undefined;
  const versionRelease = attempt(InvalidVersionError, () => parseInstalled(installed));
  if (!(versionRelease instanceof InvalidVersionError)) {
    return { ...installed, versionRelease, parsed: versionRelease.version };
  }
  const what =
    installed.release === undefined
      ? 'failed to get version and release of installed bundle'
      : 'failed to parse installed bundle version and release';
  throw new ResolutionError(
    `error walking catalogs: error finding upgrade edges: ${what}: ${versionRelease.message}`,
  );
}

function parseInstalled({ version, release }: InstalledBundle): VersionRelease {
  return release === undefined
    ? parseLegacyVersion(version)
    : parseExplicitRelease(version, release);
}

function isInstalled(installed: InstalledBundle | undefined, chosen: VersionRelease): boolean {
  const read = installed && valueUnless(InvalidVersionError, () => parseInstalled(installed));
  return read !== undefined && compareVersionReleases(read, chosen) === 0;
}

/** Deprecation decides before priority; a tie of priorities leaves several. */
function chooseCatalogs(best: readonly Rated[]): readonly Rated[] {
  const current = best.filter(({ deprecated }) => !deprecated);
  const remaining = (current.length > 0 ? current : [...best]).toSorted(
    (a, b) => b.priority - a.priority,
  );
  const [first, second] = remaining;
  if (first === undefined || second === undefined || first.priority === second.priority) {
    return remaining;
  }
  return [first];
}

function ambiguity(request: V1Request, found: readonly Candidate[]): string {
  const { installed, version = '', channels = [], packageName } = request;
  const catalogs = found.map(({ catalog }) => catalog).toSorted(compareBytes);
  return [
    installed === undefined
      ? ''
      : `error upgrading from currently installed version ${quote(installed.version)}:`,
    `${found.length > 1 ? 'found bundles' : 'no bundles found'} for package ${quote(packageName)}`,
    version === '' ? '' : `matching version ${quote(version)}`,
    channels.length === 0 ? '' : `in channels [${channels.join(' ')}]`,
    catalogs.length > 1
      ? `in multiple catalogs with the same priority [${catalogs.join(' ')}]`
      : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
    .trim();
}

function rejectDependencies(bundle: Bundle): void {
  for (const { type } of bundle.properties) {
    const refusal = dependencyRefusal(bundle.name, type);
    if (refusal === undefined) continue;
    throw new ResolutionError(`validating bundle ${quote(bundle.name)}: ${refusal}`);
  }
}

/** operator-controller's text for a bundle with a property of that type, where it is a dependency. */
export function dependencyRefusal(bundle: string, type: string): string | undefined {
  if (!['olm.package.required', 'olm.gvk.required', 'olm.constraint'].includes(type)) return;
  return `bundle ${quote(bundle)} has a dependency declared via property ${quote(type)} which is currently not supported`;
}

interface RankedBundle {
  readonly bundle: Bundle;
  readonly versionRelease: VersionRelease | undefined;
  readonly deprecated: boolean;
}

interface PackageIndex {
  readonly package: PackageInCatalog;
  /** Best first: not deprecated before deprecated, then the higher version; otherwise as in the catalog. */
  readonly ranked: readonly RankedBundle[];
  readonly entries: ReadonlyMap<string, readonly PlacedEntry[]>;
  /** Best first; every one that may follow, or is the same version and release, is among them. */
  readonly following: (installed: Origin, same: VersionRelease) => readonly RankedBundle[];
}

/** @param bundleReleaseSupport whether a bundle's own `release` counts (a feature gate) */
function indexPackage(catalog: PackageInCatalog, bundleReleaseSupport: boolean): PackageIndex {
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
