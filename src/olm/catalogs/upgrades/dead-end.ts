/** Whether an upgrade path ends below the newest bundle that it should reach, and what that bundle is. */
import { compareVersions, InvalidVersionError, readVersion } from '../../../text/versions/index.js';
import { bundleVersion } from './bundle-version.js';
import { channelOrder } from './channel-order.js';
import type { ClassicChannel, VersionedEntry } from './classic-path.js';
import { ResolutionError } from './model.js';
import type { UpgradePath } from './step.js';
import { type V1Request, resolveV1 } from './resolve-v1.js';
import { compareVersionReleases, parseLegacyVersion, type VersionRelease } from './release.js';

/**
 * A sentence; undefined when the path gets there, or says by itself why it does not.
 *
 * @param channels the channel that is followed, as each catalog that is looked at has it
 */
export function classicDeadEnd(
  path: UpgradePath,
  packageName: string,
  channels: readonly ClassicChannel[],
  installed: string | undefined,
): string | undefined {
  const end = path.steps.at(-1)?.to ?? installed;
  if (path.error !== undefined || path.loops || end === undefined) return undefined;
  const heads = channels.flatMap((channel) =>
    orderOf(packageName, channel)
      .slice(0, 1)
      .map((head) => ({ channel: channel.name, ...head })),
  );
  const reached = heads.find(({ name }) => name === end);
  const missed = heads.find(({ name, version }) =>
    reached === undefined ? true : name !== end && isHigher(version, reached.version),
  );
  if (missed === undefined) return undefined;
  return `${end} is a dead end: nothing on the chain of channel ${missed.channel}, whose head is ${missed.name}, replaces, skips or covers it${ofHead(missed)}`;
}

function ofHead({ name, replaces, skipRange }: VersionedEntry): string {
  const range = skipRange === '' ? '' : `, and its skipRange is "${skipRange}"`;
  return `; ${name} replaces ${replaces === '' ? 'nothing' : replaces}${range}`;
}

function isHigher(a = '', b = ''): boolean {
  const [one, other] = [readVersion(a), readVersion(b)];
  return one !== undefined && other !== undefined && compareVersions(one, other) > 0;
}

function orderOf(packageName: string, channel: ClassicChannel): readonly VersionedEntry[] {
  try {
    return channelOrder(packageName, channel);
  } catch (error) {
    if (error instanceof ResolutionError) return [];
    throw error;
  }
}

/** The same for OLM v1: what a first installation would choose is the newest that can be wanted. */
export function v1DeadEnd(path: UpgradePath, request: V1Request): string | undefined {
  const { installed, ...fresh } = request;
  const { error, loops, steps } = path;
  if (error !== undefined || loops || installed === undefined) return undefined;
  const newest = freshest(fresh);
  if (newest === undefined) return undefined;
  const end = steps.at(-1)?.to ?? installed.name;
  const at = versionAt(end, request) ?? readInstalled(installed.version);
  if (newest.name === end || at === undefined) return undefined;
  if (compareVersionReleases(newest.versionRelease, at) <= 0) return undefined;
  return `${end} is a dead end: ${newest.name} is newer, but no chain of replaces, skips and skipRange leads there`;
}

function freshest(request: V1Request) {
  try {
    return resolveV1(request).chosen;
  } catch (error) {
    if (error instanceof ResolutionError) return undefined;
    throw error;
  }
}

function versionAt(name: string, { catalogs }: V1Request): VersionRelease | undefined {
  for (const { bundles } of catalogs) {
    const bundle = bundles.find((each) => each.name === name);
    const version = bundle && bundleVersion(bundle, false);
    if (version !== undefined && !('error' in version)) return version;
  }
  return undefined;
}

function readInstalled(version: string): VersionRelease | undefined {
  try {
    return parseLegacyVersion(version);
  } catch (error) {
    if (error instanceof InvalidVersionError) return undefined;
    throw error;
  }
}
