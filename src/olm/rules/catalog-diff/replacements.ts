/**
 * One replacement for what either catalog installs. Source: "How do operator upgrades work in OLM", Catalog Invariant.
 */
import type { Finding } from '../../../rule/index.js';
import { compareVersions } from '../../../text/versions/index.js';
import { edgesOf, type Origin } from '../../catalogs/upgrades/edges.js';
import { asBefore } from './channels.js';
import {
  type ChannelState,
  originOf,
  type PackageState,
  versionOf,
} from '../../catalogs/upgrades/package-state.js';
import { diffFinding, namesText } from './rules.js';
import { lateReleases } from './z-streams.js';

export function* replacementFindings(old: PackageState, now: PackageState): Generator<Finding> {
  for (const channel of now.channels.values()) {
    const before = old.channels.get(channel.name);
    const origins = originsOf(channel, before, old, now);
    const change = { channel, before, origins, old, now };
    yield* stuckFindings(change);
    if (channel.problem === undefined) {
      yield* ambiguousFindings(change);
      yield* loopFindings(change);
    }
  }
}

interface ChannelChange {
  readonly channel: ChannelState;
  readonly before: ChannelState | undefined;
  /** The bundles that either catalog may have installed. */
  readonly origins: readonly Origin[];
  readonly old: PackageState;
  readonly now: PackageState;
}

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

function* stuckFindings({ channel, before, origins, now }: ChannelChange): Generator<Finding> {
  const late = new Set(lateReleases(channel, before, now).map(({ name }) => name));
  const heads = headsOf(channel);
  const stuck = origins.filter(
    (origin) => !heads.has(origin.name) && channel.successor(origin) === undefined,
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
  const oldNames = new Set(before?.entries.map(({ name }) => name));
  const oldHeads = before && headsOf(before);
  const wasStuck = (origin: Origin): boolean =>
    oldNames.has(origin.name) &&
    oldHeads?.has(origin.name) === false &&
    before?.successor(origin) === undefined;
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

function* ambiguousFindings(change: ChannelChange): Generator<Finding> {
  const { channel, before, origins, old, now } = change;
  const partingOf = partings(channel, now);
  const oldPartingOf = before && partings(before, old);
  for (const origin of origins) {
    const parting = partingOf(origin);
    if (parting === undefined) continue;
    const was = oldPartingOf?.(origin);
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

interface Parting {
  readonly classic: string;
  readonly v1: string;
}

/** OLM v1 prefers what is not deprecated, then the higher version. */
function partings(
  channel: ChannelState,
  owner: PackageState,
): (origin: Origin) => Parting | undefined {
  const best = channel.candidates
    .flatMap((entry) => {
      const version = versionOf(owner.bundles.get(entry.name));
      const rank = Number(owner.deprecated.has(entry.name));
      return version === undefined ? [] : [{ entry, version, rank }];
    })
    .toSorted((a, b) => a.rank - b.rank || compareVersions(b.version, a.version))
    .map(({ entry }) => entry);
  return (origin) => {
    const classic = channel.successor(origin)?.name;
    const v1 = classic === undefined ? undefined : edgesOf(best).first(origin)?.name;
    return classic === undefined || v1 === undefined || v1 === classic
      ? undefined
      : { classic, v1 };
  };
}

function* loopFindings(change: ChannelChange): Generator<Finding> {
  const { channel, before, origins, old, now } = change;
  const seen = new Set<string>();
  const circleFrom = circles(channel, [now, old]);
  const oldCircleFrom = before && circles(before, [old]);
  for (const origin of origins) {
    const circle = circleFrom(origin);
    const [first] = circle.toSorted();
    if (first === undefined || seen.has(first)) continue;
    seen.add(first);
    const same = (oldCircleFrom?.(origin) ?? []).length > 0;
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
function circles(
  channel: ChannelState,
  packages: readonly PackageState[],
): (start: Origin) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (start) => {
    const way = new Set<string>();
    let circle: readonly string[] | undefined;
    for (let at: Origin | undefined = start; at !== undefined && circle === undefined;) {
      const { name } = at;
      circle = known.get(name);
      if (way.has(name)) circle = [...way].slice([...way].indexOf(name));
      way.add(name);
      const next = channel.successor(at);
      at = next && originOf(next.name, packages);
    }
    for (const name of way) known.set(name, circle ?? []);
    return circle ?? [];
  };
}
