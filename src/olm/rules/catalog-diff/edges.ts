/** Updates that only one of two catalogs offers, though both have both ends. */
import type { Finding } from '../../../rule/index.js';
import { edgesOf } from '../../catalogs/upgrades/channel-edges.js';
import type { ChannelEntry } from '../../catalogs/catalog.js';
import {
  originOf,
  type ChannelState,
  type PackageState,
} from '../../catalogs/upgrades/package-state.js';
import type { DiffCost } from './cost.js';
import { diffFinding, namesText } from './rules.js';

interface Offer {
  readonly channel: string;
  readonly entry: string;
  /** Bundles that the entry takes over from. */
  readonly from: readonly string[];
}

export function* lostEdgeFindings(
  old: PackageState,
  now: PackageState,
  cost: DiffCost,
): Generator<Finding> {
  const isKnown = (bundle: string): boolean => old.bundles.has(bundle);
  for (const { channel, entry, from } of offeredOnlyBy(old, now, cost, isKnown)) {
    yield diffFinding('CatalogEdgesLost', {
      id: 'lost',
      data: { channel, entry, from: namesText(from) },
      place: now.channels.get(channel)?.place,
      about: `${now.name} ${channel} ${entry}`,
    });
  }
}

export function* gainedEdgeFindings(
  old: PackageState,
  now: PackageState,
  cost: DiffCost,
): Generator<Finding> {
  const isKnown = (bundle: string): boolean => old.bundles.has(bundle) && now.bundles.has(bundle);
  for (const { channel, entry, from } of offeredOnlyBy(now, old, cost, isKnown)) {
    yield diffFinding('CatalogEdgesGained', {
      id: 'gained',
      data: { channel, entry, from: namesText(from) },
      place: now.channels.get(channel)?.place,
      about: `${now.name} ${channel} ${entry}`,
    });
  }
}

/** @param isKnown whether a bundle was there to be installed */
function* offeredOnlyBy(
  one: PackageState,
  other: PackageState,
  cost: DiffCost,
  isKnown: (bundle: string) => boolean,
): Generator<Offer> {
  for (const channel of one.channels.values()) {
    const beside = other.channels.get(channel.name);
    if (beside !== undefined) yield* offeredIn(channel, beside, one, cost, isKnown);
  }
}

function* offeredIn(
  channel: ChannelState,
  beside: ChannelState,
  one: PackageState,
  cost: DiffCost,
  isKnown: (bundle: string) => boolean,
): Generator<Offer> {
  const places = new Map(beside.entries.map(({ name }, place) => [name, place]));
  const origins = channel.entries
    .filter(({ name }) => isKnown(name))
    .map(({ name }) => originOf(name, [one]));
  const byName = new Map(origins.map((origin) => [origin.name, origin]));
  for (const [at, each] of channel.entries.entries()) {
    const place = places.get(each.name);
    const entry = place === undefined ? undefined : beside.entries[place];
    if (place === undefined || entry === undefined || isSameEntry(each, entry)) continue;
    // The same range covers the same, so only what is named can make a difference.
    const compared =
      each.skipRange === entry.skipRange
        ? [...new Set([each.replaces ?? '', ...(each.skips ?? [])])].flatMap(
            (name) => byName.get(name) ?? [],
          )
        : origins;
    cost.spend('comparison', compared.length, one.name);
    const offers = edgesOf(channel.entries).originsOf(at, compared);
    const others = edgesOf(beside.entries).originsOf(place, compared);
    const from = compared.filter((origin) => offers.has(origin) && !others.has(origin));
    if (from.length > 0) {
      yield { channel: channel.name, entry: each.name, from: from.map(({ name }) => name) };
    }
  }
}

function isSameEntry(one: ChannelEntry, other: ChannelEntry): boolean {
  const { skips = [] } = other;
  return (
    one.replaces === other.replaces &&
    one.skipRange === other.skipRange &&
    (one.skips ?? []).length === skips.length &&
    (one.skips ?? []).every((name, at) => name === skips[at])
  );
}
