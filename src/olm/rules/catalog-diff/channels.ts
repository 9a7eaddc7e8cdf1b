import type { Finding } from '../../../rule/index.js';
import { didYouMean } from '../../../text/nearest.js';
import { compareVersions } from '../../../text/versions/index.js';
import {
  type ChannelState,
  originOf,
  type PackageState,
} from '../../catalogs/upgrades/package-state.js';
import { entriesByName, type PlacedEntry } from '../../catalogs/upgrades/edges.js';
import { diffFinding, namesText } from './rules.js';
import { InvalidInputError } from '../../../text/documents/index.js';

export function* channelFindings(old: PackageState, now: PackageState): Generator<Finding> {
  const gone = [...old.channels.values()].filter(({ name }) => !now.channels.has(name));
  const placed = entriesByName(gone.length === 0 ? [] : [...now.channels.values()]);
  for (const channel of gone) yield removed(channel, placed, old, now);
  for (const channel of now.channels.values()) {
    const before = old.channels.get(channel.name);
    if (channel.problem !== undefined) {
      yield diffFinding('CatalogChannelUnusable', {
        id: 'unusable',
        data: {
          channel: channel.name,
          asBefore: asBefore(before?.problem !== undefined),
          problem: channel.problem,
        },
        place: channel.place,
        about: `${now.name} ${channel.name}`,
        isAsBefore: before?.problem !== undefined,
        ...(before?.problem !== undefined && { severity: 'warning' }),
      });
    }
    if (before !== undefined) yield* headMoved(before, channel, old, now);
  }
  yield* defaultMoved(old, now);
}

/** Marks a problem that the old catalog has too; it is not held against the change. */
export function asBefore(was: boolean): string {
  return was ? ' (as before)' : '';
}

function removed(
  channel: ChannelState,
  placed: ReadonlyMap<string, readonly PlacedEntry[]>,
  old: PackageState,
  now: PackageState,
): Finding {
  const found = new Set<string>();
  for (const { name } of channel.entries) {
    for (const each of placed.get(name) ?? []) found.add(each.channel);
    if (found.size === now.channels.size) break;
  }
  const elsewhere = [...now.channels.keys()].filter((name) => found.has(name));
  const data = {
    channel: channel.name,
    entries: channel.entries.length === 1 ? 'one entry' : `${channel.entries.length} entries`,
  };
  return diffFinding('CatalogChannelRemoved', {
    ...(elsewhere.length === 0
      ? { id: 'nowhere', data }
      : { id: 'elsewhere', data: { ...data, channels: namesText(elsewhere) } }),
    place: now.place ?? old.place,
    about: `${old.name} ${channel.name}`,
  });
}

function* headMoved(
  before: ChannelState,
  channel: ChannelState,
  old: PackageState,
  now: PackageState,
): Generator<Finding> {
  const was = before.chain[0]?.name;
  const is = channel.chain[0]?.name;
  if (was === undefined || is === undefined || was === is) return;
  const order = compareVersions(originOf(is, [now]).version, originOf(was, [old, now]).version);
  yield diffFinding('CatalogHeadChanged', {
    id: order < 0 ? 'back' : 'forward',
    data: { channel: channel.name, from: was, to: is },
    place: channel.place,
    about: `${now.name} ${channel.name} ${was} ${is}`,
    ...(order < 0 && { severity: 'warning' }),
  });
}

function* defaultMoved(old: PackageState, now: PackageState): Generator<Finding> {
  const isServed = now.channels.has(now.defaultChannel);
  const wasServed = old.channels.has(old.defaultChannel);
  if (
    !isServed &&
    now.defaultChannel !== '' &&
    (wasServed || old.defaultChannel !== now.defaultChannel)
  ) {
    yield diffFinding('CatalogDefaultChannelMoved', {
      id: 'unknown',
      data: {
        channel: now.defaultChannel,
        nearest: didYouMean(now.defaultChannel, now.channels.keys()),
        asBefore: asBefore(!wasServed),
      },
      place: now.place,
      about: `${now.name} ${old.defaultChannel} ${now.defaultChannel}`,
      severity: wasServed ? 'error' : 'warning',
    });
    return;
  }
  if (old.defaultChannel === now.defaultChannel) return;
  yield diffFinding('CatalogDefaultChannelMoved', {
    id: 'moved',
    data: { from: old.defaultChannel, channel: now.defaultChannel },
    place: now.place,
    about: `${now.name} ${old.defaultChannel} ${now.defaultChannel}`,
  });
}

/** Bounds a comparison, because any author may have written a catalog: steps of each kind, in comparisons of a version with a range. */
const steps = { comparison: 1, update: 20, changedDefinition: 250, judgement: 5_000 };

/** The largest public catalogs take less than a hundredth. */
const most = 100_000_000;

export class DiffCost {
  private used = 0;

  /** @throws InvalidInputError once the catalogs together have cost too much */
  spend(kind: keyof typeof steps, count: number, packageName: string): void {
    this.used += steps[kind] * count;
    if (this.used <= most) return;
    throw new InvalidInputError(
      'E_LIMIT',
      `the channels of package ${packageName} have more updates than can be compared; compare the other packages with --package`,
    );
  }
}
