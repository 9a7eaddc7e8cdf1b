import type {
  Catalog,
  CatalogBundle,
  CatalogChannel,
  ObjectPlace,
  ChannelEntry,
} from '../catalog.js';
import { compareVersions, readVersion, type Version } from '../../../text/versions/index.js';
import { channelOrder } from './channel-order.js';
import { edgesOf, type Origin } from './edges.js';
import { groupBy } from '../../../text/group.js';
import { ResolutionError } from './upgrade-path.js';
import { attempt } from '../../once.js';

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
  const order = attempt(ResolutionError, () => channelOrder(channel.package, channel));
  const isUsable = !(order instanceof ResolutionError);
  const [chain, problem] = isUsable ? [order] : [[], order.message];
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

/** The head of a channel from which no channel with a higher head can be reached. */
interface StrandedHead {
  readonly channel: ChannelState;
  readonly head: string;
  readonly next: string;
  readonly older?: { readonly name: string; readonly to: string; readonly channel: string };
}

/** Older entries that are tried, from the head down: some channels have thousands. */
const maxOlder = 100;
/** Later channels that are tried, the next one first. */
const maxLater = 20;
/** Limit for all channels of a package; most packages have a few. */
const maxTried = 20_000;

export function strandedHeads(state: PackageState): StrandedHead[] {
  const all = [...state.channels.values()]
    .flatMap((channel): Headed[] => {
      const [head] = channel.chain;
      return head === undefined ? [] : [{ channel, head: originOf(head.name, [state]) }];
    })
    .sort((a, b) => compareVersions(a.head.version, b.head.version));
  let tried = 0;
  const reached = (
    origin: Origin,
    later: readonly Headed[],
  ): { readonly to: string; readonly channel: string } | undefined => {
    for (const { channel } of later) {
      if (++tried > maxTried) return undefined;
      const target = channel.successor(origin);
      if (target !== undefined) return { to: target.name, channel: channel.name };
    }
    return undefined;
  };
  const stranded: StrandedHead[] = [];
  let after = all.length;
  for (let index = all.length - 1; index >= 0; index--) {
    const { channel, head } = all[index] as Headed;
    const above = all[after - 1];
    if (above !== undefined && compareVersions(above.head.version, head.version) > 0)
      after = index + 1;
    const later = all.slice(after, after + maxLater);
    const [next] = later;
    if (next === undefined || reached(head, later) !== undefined || tried > maxTried) continue;
    let older: StrandedHead['older'];
    for (const { name } of channel.chain.slice(1, 1 + maxOlder)) {
      const target = reached(originOf(name, [state]), later);
      if (target !== undefined) {
        older = { name, ...target };
        break;
      }
    }
    stranded.push({ channel, head: head.name, next: next.channel.name, older });
  }
  const order = new Map([...state.channels.keys()].map((name, index) => [name, index]));
  const place = ({ channel }: StrandedHead): number => order.get(channel.name) ?? 0;
  return stranded.sort((a, b) => place(a) - place(b));
}

interface Headed {
  readonly channel: ChannelState;
  readonly head: Origin;
}
