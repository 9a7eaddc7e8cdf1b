/**
 * The catalog invariant: what can be installed from either catalog has a single replacement in the new one.
 * Source: "How do operator upgrades work in OLM", sections Catalog Invariant and Skipping updates.
 */
import { compareVersions, type Version } from '../../../text/versions/index.js';
import { asBefore } from './channels.js';
import {
  originOf,
  type ChannelState,
  type Origin,
  type PackageState,
  type Target,
  versionOf,
} from '../../catalogs/upgrades/package-state.js';
import { diffFinding, namesText, type DiffFinding } from './rules.js';
import { lateReleases } from './z-streams.js';

/** Channels that both catalogs have. */
export function* replacementFindings(old: PackageState, now: PackageState): Generator<DiffFinding> {
  for (const channel of now.channels.values()) {
    const before = old.channels.get(channel.name);
    const origins = originsOf(channel, before, old, now);
    yield* stuckFindings(channel, before, origins, now);
    if (channel.problem === undefined) {
      yield* ambiguousFindings(channel, before, origins, old, now);
      yield* loopFindings(channel, before, origins, old, now);
    }
  }
}

/** Whatever somebody may have installed from this channel. */
export function originsOf(
  channel: ChannelState,
  before: ChannelState | undefined,
  old: PackageState,
  now: PackageState,
): Origin[] {
  const names = new Set<string>();
  for (const { name } of before?.entries ?? []) if (old.bundles.has(name)) names.add(name);
  for (const { name } of channel.entries) if (now.bundles.has(name)) names.add(name);
  return [...names].map((name) => originOf(name, [now, old]));
}

function* stuckFindings(
  channel: ChannelState,
  before: ChannelState | undefined,
  origins: readonly Origin[],
  now: PackageState,
): Generator<DiffFinding> {
  const late = new Set(lateReleases(channel, before, now).map(({ name }) => name));
  const heads = headsOf(channel);
  const stuck = origins.filter(
    (origin) => !heads.has(origin.name) && channel.successors(origin).length === 0,
  );
  const withdrawn = stuck.filter(({ name }) => !now.bundles.has(name));
  for (const { name } of withdrawn) {
    yield diffFinding('CatalogBundleWithdrawn', {
      id: 'withdrawn',
      data: { channel: channel.name, bundle: name },
      place: channel.place,
      about: `${now.name} ${channel.name} ${name}`,
      fix: `add ${name} to the skips of ${channel.chain[0]?.name ?? 'the head'}`,
    });
  }
  const wasStuck = (origin: Origin): boolean =>
    before !== undefined &&
    before.entries.some(({ name }) => name === origin.name) &&
    !headsOf(before).has(origin.name) &&
    before.successors(origin).length === 0;
  const others = stuck.filter(({ name }) => now.bundles.has(name) && !late.has(name));
  for (const same of [false, true]) {
    const names = others.filter((each) => wasStuck(each) === same).map(({ name }) => name);
    if (names.length === 0) continue;
    yield diffFinding('CatalogNoReplacement', {
      id: names.length === 1 ? 'one' : 'several',
      data: {
        channel: channel.name,
        names: namesText(names),
        asBefore: asBefore(same),
        head: channel.chain[0]?.name ?? 'the channel',
      },
      place: channel.place,
      about: `${now.name} ${channel.name} ${same ? 'before' : 'now'}`,
      isAsBefore: same,
      ...(same && { severity: 'warning' }),
      fix: `add ${namesText(names)} to the skips of ${channel.chain[0]?.name ?? 'the head'}`,
    });
  }
}

/** One, or for a channel without a unique chain every entry that nothing replaces. */
function headsOf({ chain, entries }: ChannelState): ReadonlySet<string> {
  const [head] = chain;
  if (head !== undefined) return new Set([head.name]);
  const replaced = new Set(
    entries.flatMap(({ replaces = '', skips = [] }) => [replaces, ...skips]),
  );
  return new Set(entries.map(({ name }) => name).filter((name) => !replaced.has(name)));
}

function* ambiguousFindings(
  channel: ChannelState,
  before: ChannelState | undefined,
  origins: readonly Origin[],
  old: PackageState,
  now: PackageState,
): Generator<DiffFinding> {
  for (const origin of origins) {
    const parting = partingOf(channel, origin, now);
    if (parting === undefined) continue;
    const was = before === undefined ? undefined : partingOf(before, origin, old);
    const same = was?.classic === parting.classic && was.v1 === parting.v1;
    yield diffFinding('CatalogAmbiguousReplacement', {
      id: 'differs',
      data: { channel: channel.name, from: origin.name, ...parting, asBefore: asBefore(same) },
      place: channel.place,
      about: `${now.name} ${channel.name} ${origin.name}`,
      isAsBefore: same,
      ...(same && { severity: 'info' }),
    });
  }
}

function partingOf(
  channel: ChannelState,
  origin: Origin,
  owner: PackageState,
): { readonly classic: string; readonly v1: string } | undefined {
  const targets = channel.successors(origin);
  const [classic] = targets;
  if (classic === undefined) return undefined;
  const v1 = highest(targets, owner);
  return v1 === undefined || v1 === classic.name ? undefined : { classic: classic.name, v1 };
}

/** Not deprecated before deprecated, then the higher version, as OLM v1 has it. */
function highest(targets: readonly Target[], owner: PackageState): string | undefined {
  let best: { name: string; version: Version; deprecated: boolean } | undefined;
  for (const { name } of targets) {
    const version = versionOf(owner.bundles.get(name));
    if (version === undefined) continue;
    const deprecated = owner.deprecated.has(name);
    if (
      best === undefined ||
      Number(best.deprecated) - Number(deprecated) > 0 ||
      (best.deprecated === deprecated && compareVersions(version, best.version) > 0)
    ) {
      best = { name, version, deprecated };
    }
  }
  return best?.name;
}

function* loopFindings(
  channel: ChannelState,
  before: ChannelState | undefined,
  origins: readonly Origin[],
  old: PackageState,
  now: PackageState,
): Generator<DiffFinding> {
  const seen = new Set<string>();
  for (const origin of origins) {
    const circle = circleFrom(channel, origin, [now, old]);
    const [first] = circle.toSorted();
    if (first === undefined || seen.has(first)) continue;
    seen.add(first);
    const same = before !== undefined && circleFrom(before, origin, [old]).length > 0;
    yield diffFinding('CatalogUpgradeLoops', {
      id: 'loops',
      data: {
        channel: channel.name,
        cycle: [...circle, circle[0]].join(' → '),
        asBefore: asBefore(same),
      },
      place: channel.place,
      about: `${now.name} ${channel.name} ${first}`,
      isAsBefore: same,
      ...(same && { severity: 'warning' }),
    });
  }
}

/** The entries among which the updates of OLM classic go round; empty when they end. */
function circleFrom(
  channel: ChannelState,
  start: Origin,
  packages: readonly PackageState[],
): string[] {
  const seen = [start.name];
  for (let at: Origin = start; ;) {
    const next = channel.successors(at)[0]?.name;
    if (next === undefined) return [];
    const index = seen.indexOf(next);
    if (index >= 0) return seen.slice(index);
    seen.push(next);
    at = originOf(next, packages);
  }
}
