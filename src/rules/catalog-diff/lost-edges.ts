/** Updates that the old catalog offered and the new one, which has both ends, does not. */
import {
  edgesFrom,
  originOf,
  type ChannelState,
  type PackageState,
} from '../../catalogs/upgrades/package-state.js';
import { diffFinding, namesText, type DiffFinding } from './rules.js';

export function* lostEdgeFindings(old: PackageState, now: PackageState): Generator<DiffFinding> {
  for (const channel of now.channels.values()) {
    const before = old.channels.get(channel.name);
    if (before !== undefined) yield* lostIn(channel, before, old, now);
  }
}

function* lostIn(
  channel: ChannelState,
  before: ChannelState,
  old: PackageState,
  now: PackageState,
): Generator<DiffFinding> {
  const entries = new Map(channel.entries.map((entry) => [entry.name, entry]));
  const origins = before.entries
    .filter(({ name }) => old.bundles.has(name))
    .map(({ name }) => originOf(name, [old]));
  for (const was of before.entries) {
    const entry = entries.get(was.name);
    if (entry === undefined) continue;
    const lost = origins
      .filter((origin) => edgesFrom(was, channel.name, origin).length > 0)
      .filter((origin) => edgesFrom(entry, channel.name, origin).length === 0)
      .map(({ name }) => name);
    if (lost.length === 0) continue;
    yield diffFinding('CatalogEdgesLost', {
      message: `channel ${channel.name}: ${was.name} no longer takes over from ${namesText(lost)}`,
      place: channel.place,
      about: `${now.name} ${channel.name} ${was.name}`,
    });
  }
}
