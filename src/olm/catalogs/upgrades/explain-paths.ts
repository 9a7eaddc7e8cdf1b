import {
  bundleVersion,
  compareVersionReleases,
  parseLegacyVersion,
  type VersionRelease,
} from './release.js';
import {
  type ClassicChannel,
  classicChannels,
  classicPath,
  nextInChannel,
  type VersionedEntry,
} from './classic-path.js';
import {
  type PackageInCatalog,
  pathDifferences,
  ResolutionError,
  type UpgradePath,
} from './upgrade-path.js';
import { documentsPath } from './documents-path.js';
import { v1Path } from './v1-path.js';
import {
  compareVersions,
  formatVersion,
  InvalidVersionError,
  readVersion,
} from '../../../text/versions/index.js';
import { quote } from '../../../text/go/index.js';
import { channelOrder } from './channel-order.js';
import { resolveV1, type V1Request } from './resolve-v1.js';
import { valueUnless } from '../../once.js';

export interface PathQuestion {
  readonly packageName: string;
  readonly catalogs: readonly PackageInCatalog[];
  /** A version, or a bundle's name; absent for a first installation. */
  readonly from?: string;
  /** Absent: the default channel for OLM classic, any channel for OLM v1. */
  readonly channel?: string;
  readonly defaultChannel?: string;
  /** A version range, which only OLM v1 knows. */
  readonly range?: string;
  readonly only?: 'classic' | 'v1';
  readonly precedence?: 'documents';
  /** Of a ClusterExtension; `channel` above replaces its channels. */
  readonly terms?: Pick<V1Request, 'channels' | 'upgradeConstraintPolicy' | 'install'>;
}

export interface ExplainedPath {
  readonly title: string;
  readonly path: UpgradePath;
  /** Why the path ends below the newest bundle, when it does. */
  readonly deadEnd?: string;
}

export interface PathAnswer {
  readonly paths: readonly ExplainedPath[];
  /** Where the two OLMs part; empty when only one was asked about. */
  readonly differences: readonly string[];
}

/** Throws {@link ResolutionError} for a package that is in no catalog. */
export function explainPaths(question: PathQuestion): PathAnswer {
  const { packageName, catalogs, precedence, only } = question;
  const [source] = catalogs;
  if (source === undefined) {
    throw new ResolutionError(`package ${quote(packageName)} is in none of the catalogs`);
  }
  const installed = question.from === undefined ? undefined : locate(question.from, question);
  const channel = question.channel ?? question.defaultChannel ?? '';
  const isDocumented = precedence === 'documents';
  const asked = { packageName, channel, installed };
  const sources = catalogs.map((each) => ({
    catalog: each.catalog,
    channels: classicChannels(each),
  }));
  const channels = classicChannels(source);
  const classic = isDocumented
    ? documentsPath({ ...asked, source: source.catalog, sources })
    : classicPath({ ...asked, channels });
  const request = {
    ...{ packageName, catalogs, installed, version: question.range ?? '' },
    ...question.terms,
    ...(question.channel !== undefined && { channels: [question.channel] }),
  };
  const v1 = v1Path(request);
  const followed = (isDocumented ? sources.flatMap((each) => each.channels) : channels).filter(
    ({ name }) => name === channel,
  );
  const ofClassic: ExplainedPath = {
    title: `OLM classic${isDocumented ? ', with the precedence of OpenShift’s documentation' : ''}`,
    path: classic,
    deadEnd: classicDeadEnd(classic, packageName, followed, installed?.name),
  };
  const ofV1: ExplainedPath = { title: 'OLM v1', path: v1, deadEnd: v1DeadEnd(v1, request) };
  return {
    paths: [...(only === 'v1' ? [] : [ofClassic]), ...(only === 'classic' ? [] : [ofV1])],
    differences: only === undefined ? pathDifferences(classic, v1, source.channels) : [],
  };
}

/** The bundle of that name or version; of a version that no catalog has any more, the name it went by. */
function locate(
  from: string,
  { packageName, catalogs }: Pick<PathQuestion, 'packageName' | 'catalogs'>,
) {
  const bundles = catalogs.flatMap((each) => each.bundles);
  for (const bundle of bundles) {
    const version = bundleVersion(bundle, false);
    if ('error' in version) continue;
    const { release } = version;
    const build = release.length > 0 ? release.map(String) : version.version.build;
    const text = formatVersion({ ...version.version, build });
    if (bundle.name === from || text === from) return { name: bundle.name, version: text };
  }
  if (readVersion(from) !== undefined) {
    const usual = bundles.map(({ name }) => prefixOf(name)).find((prefix) => prefix !== undefined);
    const name = mentioned(from, catalogs) ?? `${usual ?? `${packageName}.v`}${from}`;
    return { name, version: from };
  }
  const embedded = versionIn(from);
  if (readVersion(embedded) !== undefined) return { name: from, version: embedded };
  throw new ResolutionError(`${quote(from)} is neither a version nor the name of a bundle`);
}

/** An entry of a channel, or a bundle it replaces or skips, by the version in its name. */
function mentioned(version: string, catalogs: readonly PackageInCatalog[]): string | undefined {
  return catalogs
    .flatMap(({ channels }) => channels.flatMap(({ entries }) => entries))
    .flatMap(({ name, replaces = '', skips = [] }) => [name, replaces, ...skips])
    .find((name) => versionIn(name) === version);
}

function versionIn(name: string): string {
  return inName.exec(name)?.[1] ?? '';
}

function prefixOf(name: string): string | undefined {
  const version = versionIn(name);
  return version === '' ? undefined : name.slice(0, -version.length);
}

const inName = /[.-]v?([0-9]+\.[0-9]+\.[0-9]+.*)$/;

/** Undefined when the path gets there, or says by itself why it does not. */
function classicDeadEnd(
  path: UpgradePath,
  packageName: string,
  channels: readonly ClassicChannel[],
  installed: string | undefined,
): string | undefined {
  const end = path.steps.at(-1)?.to ?? installed;
  if (path.error !== undefined || path.loops || end === undefined) return undefined;
  const heads = channels.flatMap((channel) =>
    (valueUnless(ResolutionError, () => channelOrder(packageName, channel)) ?? [])
      .slice(0, 1)
      .map((head) => ({ channel: channel.name, ...head })),
  );
  const reached = heads.find(({ name }) => name === end);
  const missed = heads.find(({ name, version }) =>
    reached === undefined ? true : name !== end && isHigher(version, reached.version),
  );
  if (missed === undefined || (reached === undefined && isAhead(end, channels))) return undefined;
  return `${end} is a dead end: nothing on the chain of channel ${missed.channel}, whose head is ${missed.name}, replaces, skips or covers it${ofHead(missed)}`;
}

/** Whether a version is above all that the channels have, so that nothing is to follow it yet. */
function isAhead(end: string, channels: readonly ClassicChannel[]): boolean {
  const entries = channels.flatMap((channel) => channel.entries);
  const version = entries.find(({ name }) => name === end)?.version ?? versionIn(end);
  return (
    readVersion(version) !== undefined &&
    entries.every(
      (entry) =>
        readVersion(entry.version ?? '') !== undefined && !isHigher(entry.version, version),
    )
  );
}

function ofHead({ name, replaces, skipRange }: VersionedEntry): string {
  const range = skipRange === '' ? '' : `, and its skipRange is "${skipRange}"`;
  return `; ${name} replaces ${replaces === '' ? 'nothing' : replaces}${range}`;
}

function isHigher(a = '', b = ''): boolean {
  const [one, other] = [readVersion(a), readVersion(b)];
  return one !== undefined && other !== undefined && compareVersions(one, other) > 0;
}

/** The same for OLM v1: what a first installation would choose is the newest that can be wanted. */
function v1DeadEnd(path: UpgradePath, request: V1Request): string | undefined {
  const { installed, ...fresh } = request;
  const { error, loops, steps } = path;
  if (error !== undefined || loops || installed === undefined) return undefined;
  const newest = valueUnless(ResolutionError, () => resolveV1(fresh).chosen);
  if (newest === undefined) return undefined;
  const end = steps.at(-1)?.to ?? installed.name;
  const at =
    versionAt(end, request) ??
    valueUnless(InvalidVersionError, () => parseLegacyVersion(installed.version));
  if (newest.name === end || at === undefined) return undefined;
  if (compareVersionReleases(newest.versionRelease, at) <= 0) return undefined;
  return `${end} is a dead end: ${newest.name} is newer, but no chain of replaces, skips and skipRange leads there`;
}

function versionAt(name: string, { catalogs }: V1Request): VersionRelease | undefined {
  for (const { bundles } of catalogs) {
    const bundle = bundles.find((each) => each.name === name);
    const version = bundle && bundleVersion(bundle, false);
    if (version !== undefined && !('error' in version)) return version;
  }
  return undefined;
}

interface Followed {
  readonly packageName: string;
  readonly channel: string;
  readonly installed?: string;
}

/** Why what is installed is never updated: its channel has a higher version, or the catalog has lost it; undefined where it is. */
export function updateDeadEnd(contents: PackageInCatalog, followed: Followed): string | undefined {
  const { packageName, channel, installed } = followed;
  if (installed === undefined || nextBundle(contents, followed) !== undefined) return undefined;
  const channels = classicChannels(contents).filter(({ name }) => name === channel);
  const isKnown = contents.channels.some(({ entries }) =>
    entries.some(({ name, replaces, skips }) => [name, replaces, ...skips].includes(installed)),
  );
  return (
    classicDeadEnd({ steps: [], loops: false }, packageName, channels, installed) ??
    (isKnown || channels.length === 0
      ? undefined
      : `${installed} of package ${packageName} is not in the catalog: it stays until an entry of channel ${channel} replaces, skips or covers it`)
  );
}

/** An update of what is installed, or the first one; undefined where there is none or no order. */
export function nextBundle(
  contents: PackageInCatalog,
  { packageName, channel, installed: name }: Followed,
): string | undefined {
  const locateIn = (from: string) => locate(from, { packageName, catalogs: [contents] });
  return valueUnless(ResolutionError, () =>
    nextInChannel({
      ...{ packageName, channel, channels: classicChannels(contents) },
      ...(name !== undefined && {
        installed: valueUnless(ResolutionError, () => locateIn(name)) ?? { name },
      }),
    }),
  );
}
