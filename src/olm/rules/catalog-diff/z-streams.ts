/**
 * Patch releases: each minor version's releases are updated to its newest, and one that comes late is skipped
 * by the higher minor. Source: "How do operator upgrades work in OLM", section Z-stream support, and the
 * guidelines for new upgrade edges.
 */
import { compareVersions, type Version } from '../../../text/versions/index.js';
import {
  edgesFrom,
  originOf,
  readChannel,
  versionOf,
  type ChannelState,
  type Origin,
  type PackageState,
} from '../../catalogs/upgrades/package-state.js';
import { groupBy } from '../../catalogs/upgrades/group.js';
import { diffFinding, namesText, type DiffFinding } from './rules.js';

export function* zStreamFindings(old: PackageState, now: PackageState): Generator<DiffFinding> {
  for (const channel of now.channels.values()) {
    const before = old.channels.get(channel.name);
    if (before === undefined) continue;
    yield* lateFindings(channel, before, now);
    if (channel.problem === undefined) yield* behindFindings(channel, before, old, now);
  }
}

interface Release {
  readonly name: string;
  readonly version: Version;
  /** The lowest release of a higher minor that the old catalog had, which should skip this one. */
  readonly above: string;
}

/** New patch releases without an edge to a higher minor that had been there before. */
export function lateReleases(
  channel: ChannelState,
  before: ChannelState | undefined,
  now: PackageState,
): Release[] {
  if (before === undefined) return [];
  const was = new Set(before.entries.map(({ name }) => name));
  const known = channel.entries.flatMap(({ name }) => {
    const version = versionOf(now.bundles.get(name));
    return version === undefined ? [] : [{ name, version }];
  });
  const late: Release[] = [];
  for (const { name, version } of known) {
    if (was.has(name)) continue;
    const [above] = known
      .filter((other) => was.has(other.name) && isHigherMinor(other.version, version))
      .toSorted((a, b) => compareVersions(a.version, b.version));
    if (above === undefined || isSkipped({ name, version }, channel, now)) continue;
    late.push({ name, version, above: above.name });
  }
  return late;
}

/** Whether the updates from here, whatever lies between, get to a higher minor. */
function isSkipped(start: Origin, channel: ChannelState, now: PackageState): boolean {
  const waiting = [start];
  const seen = new Set([start.name]);
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (isHigherMinor(at.version, start.version)) return true;
    for (const entry of channel.entries) {
      if (seen.has(entry.name) || edgesFrom(entry, channel.name, at).length === 0) continue;
      seen.add(entry.name);
      waiting.push(originOf(entry.name, [now]));
    }
  }
  return false;
}

function* lateFindings(
  channel: ChannelState,
  before: ChannelState,
  now: PackageState,
): Generator<DiffFinding> {
  for (const { name, above } of lateReleases(channel, before, now)) {
    yield diffFinding('CatalogLateZStream', {
      id: 'late',
      data: { channel: channel.name, bundle: name, above },
      place: channel.place,
      about: `${now.name} ${channel.name} ${name}`,
      fix: `add ${name} to the skips of ${above}`,
    });
  }
}

/** Releases of a minor version that got a new patch release, and come neither by it nor to a higher minor. */
function* behindFindings(
  channel: ChannelState,
  before: ChannelState,
  old: PackageState,
  now: PackageState,
): Generator<DiffFinding> {
  const was = new Set(before.entries.map(({ name }) => name));
  const minors = groupBy(
    channel.entries.flatMap(({ name }) => {
      const version = versionOf(now.bundles.get(name));
      return version === undefined || version.prerelease.length > 0 ? [] : [{ name, version }];
    }),
    ({ version }) => `${version.major}.${version.minor}`,
  );
  for (const [minor, releases] of minors) {
    const [newest] = releases.toSorted((a, b) => compareVersions(b.version, a.version));
    if (newest === undefined || was.has(newest.name)) continue;
    const behind = before.entries
      .filter(({ name }) => old.bundles.has(name))
      .map(({ name }) => originOf(name, [old]))
      .filter(({ version }) => `${version.major}.${version.minor}` === minor)
      .filter((origin) => compareVersions(origin.version, newest.version) < 0)
      .filter((origin) => isLeftBehind(origin, newest.name, channel, [now, old]));
    if (behind.length === 0) continue;
    const names = namesText(behind.map(({ name }) => name));
    yield diffFinding('CatalogZStream', {
      id: behind.length === 1 ? 'one' : 'several',
      data: { channel: channel.name, names, newest: newest.name, minor },
      place: channel.place,
      about: `${now.name} ${channel.name} ${minor}`,
      fix: wayOut(behind, newest.name, channel, [now, old]),
    });
  }
}

/** The edit to one entry after which nobody is left behind. */
function wayOut(
  behind: readonly Origin[],
  newest: string,
  channel: ChannelState,
  packages: readonly PackageState[],
): string {
  const names = behind.map(({ name }) => name);
  for (const by of [newest, channel.chain[0]?.name ?? newest]) {
    const edited = readChannel({
      package: packages[0]?.name ?? '',
      name: channel.name,
      place: channel.place,
      entries: channel.entries.map((entry) =>
        entry.name === by ? { ...entry, skips: [...(entry.skips ?? []), ...names] } : entry,
      ),
    });
    const isEnough =
      edited.problem === undefined &&
      behind.every((origin) => !isLeftBehind(origin, newest, edited, packages));
    if (isEnough) return `let ${by} skip ${namesText(names)}`;
  }
  return `put ${newest} above the other releases of its minor version, and let it skip ${namesText(names)}`;
}

function isLeftBehind(
  start: Origin,
  wanted: string,
  channel: ChannelState,
  packages: readonly PackageState[],
): boolean {
  const seen = new Set([start.name]);
  for (let at = start; ;) {
    const next = channel.successors(at)[0]?.name;
    if (next === wanted) return false;
    if (next === undefined || seen.has(next)) return true;
    seen.add(next);
    at = originOf(next, packages);
    if (isHigherMinor(at.version, start.version)) return false;
  }
}

function isHigherMinor(a: Version, b: Version): boolean {
  if (a.major !== b.major) return a.major > b.major;
  return a.minor > b.minor;
}
