/**
 * Patch releases: each minor version's releases are updated to its newest, and one that comes late is skipped
 * by the higher minor. Source: "How do operator upgrades work in OLM", section Z-stream support, and the
 * guidelines for new upgrade edges.
 */
import type { Finding } from '../../../rule/index.js';
import { compareVersions, type Version } from '../../../text/versions/index.js';
import { append } from '../../../text/long-lists.js';
import { edgesOf, firstPlace, type Origin } from '../../catalogs/upgrades/edges.js';
import {
  type ChannelState,
  originOf,
  type PackageState,
  readChannel,
  versionOf,
} from '../../catalogs/upgrades/package-state.js';
import { groupBy } from '../../../text/group.js';
import type { DiffCost } from './channels.js';
import { diffFinding, namesText } from './rules.js';

export function* zStreamFindings(
  old: PackageState,
  now: PackageState,
  cost: DiffCost,
): Generator<Finding> {
  for (const channel of now.channels.values()) {
    const before = old.channels.get(channel.name);
    if (before === undefined) continue;
    yield* lateFindings(channel, before, now);
    if (channel.problem === undefined) yield* behindFindings(channel, before, old, now, cost);
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
  const earlier = known
    .filter(({ name }) => was.has(name))
    .toSorted((a, b) => compareVersions(a.version, b.version));
  const reached = earlier.length === 0 ? new Map<string, Version>() : highestReached(channel, now);
  return known.flatMap(({ name, version }) => {
    const isHigher = (other: Version | undefined): boolean =>
      other !== undefined && isHigherMinor(other, version);
    const above = earlier[firstPlace(earlier.length, (at) => isHigher(earlier[at]?.version))];
    return was.has(name) || above === undefined || isHigher(reached.get(name))
      ? []
      : [{ name, version, above: above.name }];
  });
}

/** By entry, the highest version to which updates lead from it, whatever lies between. */
function highestReached(channel: ChannelState, now: PackageState): Map<string, Version> {
  const places = groupBy(channel.entries.keys(), (place) => channel.entries[place]?.name ?? '');
  const origins = [...places.keys()].map((name) => originOf(name, [now]));
  const take = edgesOf(channel.entries).taker(origins);
  const reached = new Map<string, Version>();
  for (const highest of origins.toSorted((a, b) => compareVersions(b.version, a.version))) {
    const waiting = [highest];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (reached.has(at.name)) continue;
      reached.set(at.name, highest.version);
      for (const place of places.get(at.name) ?? []) append(waiting, take(place));
    }
  }
  return reached;
}

function* lateFindings(
  channel: ChannelState,
  before: ChannelState,
  now: PackageState,
): Generator<Finding> {
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

function* behindFindings(
  channel: ChannelState,
  before: ChannelState,
  old: PackageState,
  now: PackageState,
  cost: DiffCost,
): Generator<Finding> {
  const was = new Set(before.entries.map(({ name }) => name));
  const origins = groupBy(
    before.entries
      .filter(({ name }) => old.bundles.has(name))
      .map(({ name }) => originOf(name, [old])),
    ({ version }) => `${version.major}.${version.minor}`,
  );
  let tried = 0;
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
    const isBehind = leftBehind(newest, channel, [now, old], cost);
    const behind = (origins.get(minor) ?? []).filter(
      (origin) => compareVersions(origin.version, newest.version) < 0 && isBehind(origin),
    );
    if (behind.length === 0) continue;
    const names = namesText(behind.map(({ name }) => name));
    yield diffFinding('CatalogZStream', {
      id: behind.length === 1 ? 'one' : 'several',
      data: { channel: channel.name, names, newest: newest.name, minor },
      place: channel.place,
      about: `${now.name} ${channel.name} ${minor}`,
      fix: wayOut(behind, newest, channel, [now, old], tried++ < mostTried ? cost : undefined),
    });
  }
}

/** Edits are tried for so many minor versions of a channel: each is read anew for it. */
const mostTried = 20;

/** The edit to one entry after which no version is left behind. @param cost without it, none is tried */
function wayOut(
  behind: readonly Origin[],
  newest: Origin,
  channel: ChannelState,
  packages: readonly PackageState[],
  cost: DiffCost | undefined,
): string {
  const names = behind.map(({ name }) => name);
  const edits = cost === undefined ? [] : [newest.name, channel.chain[0]?.name ?? newest.name];
  for (const by of edits) {
    const edited = readChannel({
      package: packages[0]?.name ?? '',
      name: channel.name,
      place: channel.place,
      entries: channel.entries.map((entry) =>
        entry.name === by ? { ...entry, skips: [...(entry.skips ?? []), ...names] } : entry,
      ),
    });
    const isBehind = leftBehind(newest, edited, packages, cost);
    if (edited.problem === undefined && !behind.some(isBehind)) {
      return `let ${by} skip ${namesText(names)}`;
    }
  }
  return `put ${newest.name} above the other releases of its minor version, and let it skip ${namesText(names)}`;
}

function leftBehind(
  newest: Origin,
  channel: ChannelState,
  packages: readonly PackageState[],
  cost: DiffCost | undefined,
): (start: Origin) => boolean {
  const known = new Map<string, boolean>();
  return (start) => {
    const way = new Set<string>();
    let isBehind: boolean | undefined;
    for (let at = start; isBehind === undefined;) {
      way.add(at.name);
      const next = channel.successor(at)?.name;
      if (next === newest.name) isBehind = false;
      else if (next === undefined || way.has(next)) isBehind = true;
      else {
        at = originOf(next, packages);
        isBehind = isHigherMinor(at.version, newest.version) ? false : known.get(next);
      }
    }
    cost?.spend('update', way.size, packages[0]?.name ?? '');
    for (const name of way) known.set(name, isBehind);
    return isBehind;
  };
}

function isHigherMinor(a: Version, b: Version): boolean {
  if (a.major !== b.major) return a.major > b.major;
  return a.minor > b.minor;
}
