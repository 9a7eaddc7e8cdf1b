/** The message about a version that no catalog has: it names the versions near it. */
import type { KnownCatalog } from '../options/known-catalogs.js';
import { didYouMean } from '../../text/nearest.js';
import { compareVersions, readTolerantVersion, type Version } from '../../text/versions/index.js';

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
