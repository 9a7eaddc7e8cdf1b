import type { Catalog, CatalogBundle, CatalogChannel, ObjectPlace } from '../index.js';
import { readVersion, type Version } from '../../../text/versions/index.js';
import { channelOrder } from './channel-order.js';
import { edgesOf } from './channel-edges.js';
import type { Origin } from './edges.js';
import { groupBy } from '../../../text/group.js';
import type { ChannelEntry } from '../catalog.js';
import { ResolutionError } from './model.js';

export interface ChannelState {
  readonly name: string;
  readonly place: ObjectPlace;
  readonly entries: readonly ChannelEntry[];
  /** From the head down, without what is skipped; empty for a channel that OLM classic cannot use. */
  readonly chain: readonly ChannelEntry[];
  /** Why OLM classic cannot use it. */
  readonly problem?: string;
  /** Entries to which OLM classic may update: the chain, or all entries of a channel without one. */
  readonly candidates: readonly ChannelEntry[];
  /** The candidate nearest the head with an edge from what is installed. */
  successor(origin: Origin): ChannelEntry | undefined;
}

type Channel = Pick<CatalogChannel, 'package' | 'name' | 'place'> & {
  readonly entries: readonly ChannelEntry[];
};

export interface PackageState {
  readonly name: string;
  readonly place: ObjectPlace | undefined;
  readonly defaultChannel: string;
  readonly channels: ReadonlyMap<string, ChannelState>;
  readonly bundles: ReadonlyMap<string, CatalogBundle>;
  readonly deprecated: ReadonlySet<string>;
}

export function readPackages(catalog: Catalog): Map<string, PackageState> {
  const channels = groupBy(catalog.channels, (each) => each.package);
  const bundles = groupBy(catalog.bundles, (each) => each.package);
  const deprecations = groupBy(catalog.deprecations, (each) => each.package);
  const packages = new Map(catalog.packages.map((item) => [item.name, item]));
  const names = new Set([...packages.keys(), ...channels.keys(), ...bundles.keys()]);
  return new Map(
    [...names].map((name): [string, PackageState] => {
      const item = packages.get(name);
      const entries = deprecations.get(name)?.flatMap((each) => each.entries) ?? [];
      const state = {
        name,
        place: item?.place,
        defaultChannel: item?.defaultChannel ?? '',
        channels: new Map(
          (channels.get(name) ?? []).map((channel) => [channel.name, readChannel(channel)]),
        ),
        bundles: new Map((bundles.get(name) ?? []).map((bundle) => [bundle.name, bundle])),
        deprecated: new Set(
          entries.filter(({ schema }) => schema === 'olm.bundle').map((entry) => entry.name),
        ),
      };
      return [name, state];
    }),
  );
}

/** The entry as an origin, with the version that the first of these packages knows; else 0.0.0, as for OLM. */
export function originOf(name: string, packages: readonly PackageState[]): Origin {
  for (const { bundles } of packages) {
    const version = versionOf(bundles.get(name));
    if (version !== undefined) return { name, version };
  }
  return { name, version: { major: 0, minor: 0, patch: 0, prerelease: [], build: [] } };
}

export function versionOf(bundle: CatalogBundle | undefined): Version | undefined {
  return readVersion(bundle?.packageProperties[0]?.version ?? '');
}

export function readChannel(channel: Channel): ChannelState {
  const { name, place, entries } = channel;
  const { chain, problem } = orderOf(channel);
  // Without one chain nothing can be resolved; what the edges say is still worth reading.
  const candidates = chain.length === 0 ? entries : chain;
  return {
    name,
    place,
    entries,
    chain,
    problem,
    candidates,
    successor: (origin) => edgesOf(candidates).first(origin),
  };
}

function orderOf(channel: Channel): {
  readonly chain: readonly ChannelEntry[];
  readonly problem?: string;
} {
  try {
    return { chain: channelOrder(channel.package, channel) };
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    return { chain: [], problem: error.message };
  }
}
