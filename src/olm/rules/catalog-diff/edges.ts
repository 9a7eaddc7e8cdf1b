/** Updates that only one of two catalogs offers, though both have both ends. */
import {
  edgesFrom,
  originOf,
  type ChannelState,
  type PackageState,
} from '../../catalogs/upgrades/package-state.js';
import { diffFinding, namesText, type DiffFinding } from './rules.js';

interface Offer {
  readonly channel: string;
  readonly entry: string;
  /** What the entry takes over from. */
  readonly from: readonly string[];
}

export function* lostEdgeFindings(old: PackageState, now: PackageState): Generator<DiffFinding> {
  const isKnown = (bundle: string): boolean => old.bundles.has(bundle);
  for (const { channel, entry, from } of offeredOnlyBy(old, now, isKnown)) {
    yield diffFinding('CatalogEdgesLost', {
      id: 'lost',
      data: { channel, entry, from: namesText(from) },
      place: now.channels.get(channel)?.place,
      about: `${now.name} ${channel} ${entry}`,
    });
  }
}

export function* gainedEdgeFindings(old: PackageState, now: PackageState): Generator<DiffFinding> {
  const isKnown = (bundle: string): boolean => old.bundles.has(bundle) && now.bundles.has(bundle);
  for (const { channel, entry, from } of offeredOnlyBy(now, old, isKnown)) {
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
  isKnown: (bundle: string) => boolean,
): Generator<Offer> {
  for (const channel of one.channels.values()) {
    const beside = other.channels.get(channel.name);
    if (beside !== undefined) yield* offeredIn(channel, beside, one, isKnown);
  }
}

function* offeredIn(
  channel: ChannelState,
  beside: ChannelState,
  one: PackageState,
  isKnown: (bundle: string) => boolean,
): Generator<Offer> {
  const entries = new Map(beside.entries.map((entry) => [entry.name, entry]));
  const origins = channel.entries
    .filter(({ name }) => isKnown(name))
    .map(({ name }) => originOf(name, [one]));
  for (const each of channel.entries) {
    const entry = entries.get(each.name);
    if (entry === undefined) continue;
    const from = origins
      .filter((origin) => edgesFrom(each, channel.name, origin).length > 0)
      .filter((origin) => edgesFrom(entry, channel.name, origin).length === 0)
      .map(({ name }) => name);
    if (from.length > 0) yield { channel: channel.name, entry: each.name, from };
  }
}
