/** Each step goes to the entry nearest the head that replaces, skips or covers the last. Rule: OLM 0.46. */
import { formatVersion, readTolerantVersion, type Version } from '../../../text/versions/index.js';
import { oncePer } from '../../once.js';
import { edgesTo, possibleEdgesOf } from './edges.js';
import { channelOrder } from './channel-order.js';
import { groupBy } from '../../../text/group.js';
import type { Bundle, Channel, ChannelEntry } from '../catalog.js';
import {
  type Edge,
  follow,
  type PackageInCatalog,
  ResolutionError,
  resolutionText,
  startingFrom,
  type Step,
  type UpgradePath,
} from './upgrade-path.js';
import { bundleVersion } from './release.js';

export interface VersionedEntry extends ChannelEntry {
  readonly version?: string;
}

export interface ClassicChannel extends Channel {
  readonly entries: readonly VersionedEntry[];
}

/** An installed ClusterServiceVersion; one without a version has 0.0.0. */
export interface InstalledCsv {
  readonly name: string;
  readonly version?: string;
}

export interface ClassicRequest {
  readonly packageName: string;
  readonly channels: readonly ClassicChannel[];
  /** "" stands for all channels. */
  readonly channel: string;
  readonly defaultChannel?: string;
  readonly installed?: InstalledCsv;
}

interface Ordered {
  readonly channel: string;
  readonly entries: readonly VersionedEntry[];
  readonly listed: readonly VersionedEntry[];
}

/** Never throws for what a catalog may hold: a broken channel is an answer. */
export function classicPath(request: ClassicRequest): UpgradePath {
  let ordered: Ordered[] | undefined;
  return follow<InstalledCsv>(
    request.installed,
    (installed) => {
      ordered ??= orderChannels(request);
      const found = nextEntry(ordered, installed);
      return found && { at: found.entry, step: describeStep(found, installed) };
    },
    resolutionText,
  );
}

/** The entry of the first step, by its name. @throws ResolutionError for a channel that cannot be resolved */
export function nextInChannel(request: ClassicRequest): string | undefined {
  return nextEntry(orderChannels(request), request.installed)?.entry.name;
}

/** As carelessly written as a ClusterServiceVersion's may be; 0.0.0 when there is none. */
export function installedVersion({ version }: InstalledCsv): Version {
  return (
    readTolerantVersion(version ?? '') ?? {
      major: 0,
      minor: 0,
      patch: 0,
      prerelease: [],
      build: [],
    }
  );
}

export function between(
  entries: readonly ChannelEntry[],
  to: string,
  from: string | undefined,
): string[] {
  const places = placesOf(entries);
  const end = from === undefined ? undefined : places.get(from)?.[0];
  if (end === undefined) return [];
  return entries.slice((places.get(to)?.[0] ?? -1) + 1, end).map(({ name }) => name);
}

/** By name; a path asks at each of its steps. */
const placesOf = oncePer((entries: readonly ChannelEntry[]) =>
  groupBy(entries.keys(), (place) => entries[place]?.name),
);

interface Found {
  readonly entry: VersionedEntry;
  readonly channel: Ordered;
  readonly edges: readonly Edge[];
}

function nextEntry(
  channels: readonly Ordered[],
  installed: InstalledCsv | undefined,
): Found | undefined {
  const origin = installed && { name: installed.name, version: installedVersion(installed) };
  for (const channel of channels) {
    const entry: VersionedEntry | undefined =
      origin === undefined ? channel.entries[0] : possibleEdgesOf(channel.entries).first(origin);
    if (entry === undefined) continue;
    const edges = origin ? edgesTo([{ entry, channel: channel.channel }], origin) : [];
    const { length } = placesOf(channel.listed).get(entry.name) ?? [];
    // OLM looks up by name what it has chosen.
    if (length > 1) throw new ResolutionError(`expected exactly one operator, got ${length}`);
    return { entry, channel, edges };
  }
  // An installed operator stays; a first installation needs an entry that nothing skips.
  if (origin === undefined) throw unsatisfiable('no operators found matching the criteria of');
  return undefined;
}

/** OLM's text about the subscription, which this operation calls `sub`. */
function unsatisfiable(reason: string): ResolutionError {
  return new ResolutionError(
    `constraints not satisfiable: ${reason} subscription sub, subscription sub exists`,
  );
}

function describeStep({ entry, channel, edges }: Found, installed: InstalledCsv | undefined): Step {
  return {
    ...startingFrom(installed),
    to: entry.name,
    channel: channel.channel,
    edges,
    passedOver: between(channel.entries, entry.name, installed?.name),
  };
}

/** The default channel first, then by name; every channel must have one unique chain. */
function orderChannels(request: ClassicRequest): Ordered[] {
  const { packageName, channel, defaultChannel } = request;
  const rank = (name: string): number => (name === defaultChannel ? 0 : 1);
  const chosen = request.channels
    .filter(({ name, entries }) => (channel === '' || name === channel) && entries.length > 0)
    .toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
  if (chosen.length === 0) {
    const isEmpty = request.channels.every(({ entries }) => entries.length === 0);
    const place = `${isEmpty ? '' : `channel ${channel} of `}package ${packageName}`;
    throw unsatisfiable(`no operators found in ${place} in the catalog referenced by`);
  }
  return chosen.map((each) => ({
    channel: each.name,
    entries: channelOrder(packageName, each),
    listed: each.entries,
  }));
}

export const classicChannels = oncePer(
  ({ channels, bundles }: PackageInCatalog): readonly ClassicChannel[] => {
    const versions = new Map(bundles.map((bundle) => [bundle.name, versionText(bundle)]));
    return channels.map(({ name, entries }) => ({
      name,
      entries: entries.map((entry) => ({ ...entry, version: versions.get(entry.name) ?? '' })),
    }));
  },
);

function versionText(bundle: Bundle): string {
  const version = bundleVersion(bundle, false);
  return 'error' in version ? '' : formatVersion(version.version);
}
