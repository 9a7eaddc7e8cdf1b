/** The catalogs that a command line names with `--catalog`. */
import { basename, resolve } from 'node:path';
import {
  type Catalog,
  type KnownCatalog,
  type LoadOptions,
  limitIn,
  limitSentence,
  openShiftVersion,
  supportOf,
  supportText,
} from '../../olm/index.js';
import { demandCatalog } from './catalog-source.js';
import { readBundleFolders } from '../../repository/index.js';
import { reportSkipped } from './skipped-files.js';
import { didYouMean } from '../../text/nearest.js';
import { compareVersions, readTolerantVersion, type Version } from '../../text/versions/index.js';
import { ClusterError, type ClusterView } from '../../cluster/index.js';

export type { KnownCatalog };

export interface KnownCatalogOptions {
  readonly keep?: LoadOptions['keep'];
  readonly caFile?: string;
}

export const catalogOptionHelp =
  "a catalog: a folder, a file or catalogd's URL, as DIR, NAME=DIR or NAME:PRIORITY=DIR";

export async function readKnownCatalogs(
  values: readonly string[],
  options: KnownCatalogOptions = {},
): Promise<KnownCatalog[]> {
  const found: KnownCatalog[] = [];
  for (const value of values) {
    const { name, priority, source } = readCatalogOption(value);
    found.push({ name, priority, catalog: await readKnownCatalog(source, options) });
  }
  return found;
}

export function readCatalogOption(value: string): {
  readonly name: string;
  readonly priority: number;
  readonly source: string;
} {
  const match = /^([A-Za-z0-9][A-Za-z0-9._-]*)(?::(-?\d+))?=(.+)$/.exec(value);
  const [, name, priority, source] = match ?? [];
  if (name === undefined || source === undefined) {
    return { name: basename(resolve(value)), priority: 0, source: value };
  }
  return { name, priority: Number(priority ?? 0), source };
}

/** @throws InvalidInputError for a catalog that cannot be read or does not load. */
export async function readKnownCatalog(
  source: string,
  { keep = 'graph', caFile }: KnownCatalogOptions = {},
): Promise<Catalog> {
  const options = { caFile };
  return demandCatalog(source, options, keep);
}

export async function readBundles(folder: string | undefined) {
  const found = await readBundlePlaces(folder);
  return found && new Map([...found].map(([name, { crds }]) => [name, crds]));
}

/** The same, with where each bundle's manifests are. */
export async function readBundlePlaces(folder: string | undefined) {
  if (folder === undefined) return undefined;
  return reportSkipped((onSkipped) => readBundleFolders(folder, { onSkipped }));
}

/** A version that no catalog has is either spelt wrong or gone: the path is worth something in the second case only. */
export function unknownVersion(
  packageName: string,
  from: string | undefined,
  catalogs: readonly KnownCatalog[],
): string | undefined {
  const sentence = from === undefined ? undefined : notInCatalog(packageName, from, catalogs);
  return sentence && `${sentence}; what follows is for one installed from elsewhere`;
}

/** @param asked a version, or the name of a bundle */
export function notInCatalog(
  packageName: string,
  asked: string,
  catalogs: readonly KnownCatalog[],
): string | undefined {
  const bundles = catalogs
    .flatMap(({ catalog }) => catalog.bundles)
    .filter((bundle) => bundle.package === packageName);
  const versions = bundles.flatMap(({ packageProperties }) => packageProperties[0]?.version ?? []);
  // Bundles that are only skipped or replaced are known all the same.
  const named = catalogs
    .flatMap(({ catalog }) => catalog.channels)
    .filter((channel) => channel.package === packageName)
    .flatMap(({ entries }) => entries)
    .flatMap(({ name, replaces, skips }) => [name, replaces, ...skips]);
  const names = bundles.map(({ name }) => name);
  const known = new Set([...versions, ...named, ...names]);
  if (known.has(asked) || known.has(`${packageName}.v${asked}`)) return undefined;
  const there = nearest(asked.replace(/^.*?\.(?=v\d)/, ''), versions);
  // Any version is spelt nearly like another one; where none is meant, a name may be.
  const meant = /^v?\d+(?:\.\d+)*$/.test(asked) ? '' : didYouMean(asked, [...versions, ...names]);
  return `${asked} of package ${packageName} is not in the catalog${meant}; it has ${there}`;
}

const most = 4;

/** The versions on both sides of one, in their order; the newest where it is none. */
function nearest(asked: string, versions: readonly string[]): string {
  const sorted = [...new Set(versions)]
    .map((text) => ({ text, version: readTolerantVersion(text) }))
    .filter((each): each is { text: string; version: Version } => each.version !== undefined)
    .sort((left, right) => compareVersions(left.version, right.version));
  if (sorted.length === 0) return 'no version of it';
  const place = readTolerantVersion(asked);
  const above =
    place === undefined
      ? -1
      : sorted.findIndex(({ version }) => compareVersions(version, place) > 0);
  const middle = above < 0 ? sorted.length : above;
  const start = Math.max(0, Math.min(middle - most / 2, sorted.length - most));
  const shown = sorted.slice(start, start + most).map(({ text }) => text);
  const others = sorted.length - shown.length;
  if (others > 0) return `${shown.join(', ')} and ${others} more`;
  return shown.length === 1 ? shown.join() : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** @returns none where the cluster is not OpenShift, or does not say its version */
export async function openShiftLimits(
  bundles: readonly string[],
  catalogs: readonly KnownCatalog[],
  view: Pick<ClusterView, 'get'>,
): Promise<string[]> {
  const resource = { group: 'config.openshift.io', resource: 'clusterversions' };
  const object = await view.get(resource, 'version').catch(ignoreClusterError);
  const version = openShiftVersion(object);
  if (version === undefined) return [];
  return bundles.flatMap((name) => {
    const because = limitIn(catalogs, name, version);
    return because === undefined ? [] : [limitSentence(name, because, version)];
  });
}

/** For optional reads: without the cluster the answer only says less. @throws any other error */
export function ignoreClusterError(error: unknown): undefined {
  if (!(error instanceof ClusterError)) throw error;
  return undefined;
}

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
