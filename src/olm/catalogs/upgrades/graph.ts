import type { Catalog } from '../catalog.js';
import {
  compareVersions,
  formatVersion,
  readVersion,
  type Version,
} from '../../../text/versions/index.js';
import { crossingEdges, type GraphEdge, graphEdges, GraphPath } from './graph-edges.js';
import type { Origin } from './edges.js';
import {
  type ChannelState,
  originOf,
  type PackageState,
  readPackages,
  strandedHeads,
  versionOf,
} from './package-state.js';
import { deprecationsOf } from '../summary.js';
import type { Step } from './upgrade-path.js';

export interface GraphRequest {
  readonly packageName: string;
  readonly channels?: readonly string[];
  /** Steps to show, e.g. of `explainPaths`; the first `from` is what is installed. */
  readonly path?: readonly Step[];
  readonly installed?: string;
  readonly breaks?: (from: string, to: string) => string | undefined;
}

export interface GraphChannel {
  readonly name: string;
  readonly isDefault: boolean;
  readonly head?: string;
  readonly deprecation?: string;
  /** Why OLM classic cannot use it. */
  readonly problem?: string;
}

/** One version; rows are the same for all channels, newest first. */
interface GraphRow {
  readonly name: string;
  /** Without the package's name: `1.2.3`. */
  readonly label: string;
  readonly deprecation?: string;
}

type NodeState = 'head' | 'chain' | 'skipped' | 'unreachable' | 'gone';

export interface GraphNode {
  readonly channel: string;
  readonly name: string;
  /**
   * `chain`: OLM classic gets to it; `skipped`: another entry skips it; `unreachable`: neither, so it is
   * stranded; `gone`: it is no entry of this catalog any more, but installed.
   */
  readonly state: NodeState;
  readonly isDeprecated: boolean;
  readonly isOnPath: boolean;
  readonly isInstalled: boolean;
  /** The bundle that it replaces and this catalog lacks. */
  readonly replacesAbsent?: string;
  readonly skipRange?: string;
  /** For a head that no later channel continues: the next of these channels. */
  readonly strandedBefore?: string;
}

export interface PackageGraph {
  readonly package: string;
  readonly deprecation?: string;
  readonly installed?: string;
  readonly channels: readonly GraphChannel[];
  readonly rows: readonly GraphRow[];
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Parts for which the diagram has no room, a sentence each. */
  readonly leftOut?: readonly string[];
}

export function packageGraph(catalog: Catalog, request: GraphRequest): PackageGraph | undefined {
  const state = readPackages(catalog).get(request.packageName);
  if (state === undefined) return undefined;
  const { wanted, leftOut: without } = chooseChannels(
    sortNewest(
      [...state.channels.values()].filter(({ name }) => request.channels?.includes(name) ?? true),
      state,
    ),
  );
  const messages = deprecationsOf(catalog, state.name);
  const deprecated = (schema: string, name: string): string | undefined =>
    messages.get(`${schema}/${name}`)?.trim();
  const installed = request.installed ?? request.path?.[0]?.from;
  const path = new GraphPath(request.path ?? [], installed);
  const stranded = new Map(strandedHeads(state).map(({ channel, next }) => [channel.name, next]));
  const nodes = wanted.flatMap((channel) => [
    ...nodesOf(channel, deprecated, path, stranded.get(channel.name)),
    ...goneNode(channel, installed, path, state),
  ]);
  const placed = wanted.map((channel) => ({ channel, origins: originsOf(channel, state, path) }));
  const { edges: within, leftOut } = graphEdges(placed, path, request.breaks);
  const edges = [...within, ...crossingEdges(placed, state, request.breaks)];
  const sentences = [...without, ...leftOut];
  return {
    package: state.name,
    deprecation: deprecated('olm.package', ''),
    ...(installed !== undefined && { installed }),
    channels: wanted.map((channel) => describeChannel(channel, state, deprecated)),
    rows: rowsOf(nodes, state, deprecated),
    nodes,
    edges,
    ...(sentences.length > 0 && { leftOut: sentences }),
  };
}

/** The message of a deprecation. */
type Deprecated = (schema: string, name: string) => string | undefined;

const maxChannels = 200;
const maxNodes = 20_000;

function chooseChannels(channels: readonly ChannelState[]): {
  readonly wanted: readonly ChannelState[];
  readonly leftOut: readonly string[];
} {
  let nodes = 0;
  const kept = channels.findIndex(({ entries }, index) => {
    nodes += entries.length;
    return index > 0 && (nodes > maxNodes || index >= maxChannels);
  });
  if (kept < 0) return { wanted: channels, leftOut: [] };
  const count = channels.length - kept;
  const sentence = `${count} ${count === 1 ? 'channel is' : 'channels are'} left out: a picture shows at most ${maxChannels} channels and ${maxNodes} entries; name the ones to show with --channel`;
  return { wanted: channels.slice(0, kept), leftOut: [sentence] };
}

/** The default channel first, then the one with the highest version, then by name. */
function sortNewest(channels: readonly ChannelState[], state: PackageState): ChannelState[] {
  const highest = new Map(channels.map((channel) => [channel, highestOf(channel, state)]));
  return channels.toSorted((a, b) => {
    const order =
      rank(a, state) - rank(b, state) ||
      compareVersions(highest.get(b) ?? noVersion, highest.get(a) ?? noVersion);
    return order || (a.name < b.name ? -1 : 1);
  });
}

function rank({ name }: ChannelState, { defaultChannel }: PackageState): number {
  return name === defaultChannel ? 0 : 1;
}

const noVersion = originOf('', []).version;

function highestOf({ entries }: ChannelState, state: PackageState): Version {
  const versions = entries.map(({ name }) => versionFor(name, state));
  return versions.reduce(
    (best, version) => (compareVersions(version, best) > 0 ? version : best),
    noVersion,
  );
}

function describeChannel(
  { name, chain, problem }: ChannelState,
  { defaultChannel }: PackageState,
  deprecated: Deprecated,
): GraphChannel {
  return {
    name,
    isDefault: name === defaultChannel,
    head: chain[0]?.name,
    deprecation: deprecated('olm.channel', name),
    problem,
  };
}

function nodesOf(
  channel: ChannelState,
  deprecated: Deprecated,
  path: GraphPath,
  strandedBefore: string | undefined,
): GraphNode[] {
  const chain = new Set(channel.chain.map(({ name }) => name));
  const names = new Set(channel.entries.map(({ name }) => name));
  const skipped = new Set(channel.entries.flatMap(({ skips = [] }) => skips));
  const head = channel.chain[0]?.name;
  return channel.entries.map(({ name, replaces = '', skipRange = '' }) => ({
    channel: channel.name,
    name,
    state: (name === head
      ? 'head'
      : chain.has(name)
        ? 'chain'
        : skipped.has(name)
          ? 'skipped'
          : 'unreachable') satisfies NodeState,
    isDeprecated: deprecated('olm.bundle', name) !== undefined,
    isOnPath: path.hasNode(channel.name, name),
    isInstalled: name === path.installed && path.hasNode(channel.name, name),
    ...(replaces !== '' && !names.has(replaces) && { replacesAbsent: replaces }),
    ...(skipRange !== '' && { skipRange }),
    ...(name === head && strandedBefore !== undefined && { strandedBefore }),
  }));
}

function goneNode(
  channel: ChannelState,
  installed: string | undefined,
  path: GraphPath,
  state: PackageState,
): GraphNode[] {
  if (installed === undefined || channel.entries.some(({ name }) => name === installed)) return [];
  if (!path.hasNode(channel.name, installed)) return [];
  const origin = { name: installed, version: versionFor(installed, state) };
  if (channel.successor(origin) === undefined) return [];
  return [
    {
      channel: channel.name,
      name: installed,
      state: 'gone',
      isDeprecated: false,
      isOnPath: true,
      isInstalled: true,
    },
  ];
}

function rowsOf(
  nodes: readonly GraphNode[],
  state: PackageState,
  deprecated: Deprecated,
): GraphRow[] {
  const names = [...new Set(nodes.map(({ name }) => name))];
  return names
    .map((name) => ({ name, version: versionFor(name, state) }))
    .toSorted((a, b) => compareVersions(b.version, a.version) || (a.name < b.name ? 1 : -1))
    .map(({ name, version }) => {
      const isKnown = versionOf(state.bundles.get(name)) !== undefined;
      return {
        name,
        label: isKnown ? formatVersion(version) : within(state.name, name),
        deprecation: deprecated('olm.bundle', name),
      };
    });
}

function versionFor(name: string, state: PackageState): Version {
  const embedded = /\.v?([0-9]+\.[0-9]+\.[0-9]+.*)$/.exec(name)?.[1] ?? '';
  return (
    versionOf(state.bundles.get(name)) ?? readVersion(embedded) ?? originOf(name, [state]).version
  );
}

/** `v1.2.3` for a bundle that is named `package.v1.2.3`. */
export function within(owner: string, name: string): string {
  return name.startsWith(`${owner}.`) ? name.slice(owner.length + 1) : name;
}

function originsOf(channel: ChannelState, state: PackageState, path: GraphPath): Origin[] {
  const names = new Set(channel.entries.map(({ name }) => name));
  if (path.installed !== undefined && path.hasNode(channel.name, path.installed)) {
    names.add(path.installed);
  }
  return [...names].map((name) => ({ name, version: versionFor(name, state) }));
}
