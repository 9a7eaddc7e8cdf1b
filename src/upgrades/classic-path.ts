/**
 * The steps that OLM classic takes in a channel. Rule: operator-lifecycle-manager 0.46: of the entries that
 * replace, skip or cover by skipRange what is installed, the one nearest the head, step by step.
 */
import { type Version, readVersion } from '../versions/index.js';
import { channelOrder } from './channel-order.js';
import { edgesTo } from './edges.js';
import { type Channel, type ChannelEntry, type Edge, ResolutionError } from './model.js';

/** An entry with the version of its bundle, which ranges are compared with. */
export interface VersionedEntry extends ChannelEntry {
  readonly version?: string;
}

export interface ClassicChannel extends Channel {
  readonly entries: readonly VersionedEntry[];
}

export interface ClassicRequest {
  readonly packageName: string;
  readonly channels: readonly ClassicChannel[];
  /** "" stands for all channels. */
  readonly channel: string;
  readonly defaultChannel?: string;
  readonly installed?: { readonly name: string; readonly version?: string };
}

export interface Step {
  /** Absent for a first installation. */
  readonly from?: string;
  readonly to: string;
  readonly channel: string;
  /** Empty for a first installation, which takes the head. */
  readonly edges: readonly Edge[];
  /** Entries of the channel between the two that are never installed on this way, nearest the head first. */
  readonly passedOver: readonly string[];
}

export interface ClassicPath {
  readonly steps: readonly Step[];
  /** The last step leads to what had been installed before: OLM would go round for ever. */
  readonly loops: boolean;
  /** Why nothing, or nothing further, can be resolved; OLM's text where it has one. */
  readonly error?: string;
}

interface Ordered {
  readonly channel: string;
  readonly entries: readonly VersionedEntry[];
}

/** Never throws for what a catalog may hold: a broken channel is an answer. */
export function classicPath(request: ClassicRequest): ClassicPath {
  const steps: Step[] = [];
  try {
    const loops = walk(orderChannels(request), request.installed, steps);
    return { steps, loops };
  } catch (error) {
    if (!(error instanceof ResolutionError)) throw error;
    return { steps, loops: false, error: error.message };
  }
}

/** Adds the steps to `steps`, so that those before an error are kept; true when the last one closes a loop. */
function walk(
  channels: readonly Ordered[],
  start: ClassicRequest['installed'],
  steps: Step[],
): boolean {
  const seen = new Set(start === undefined ? [] : [start.name]);
  let installed = start;
  for (;;) {
    const step = nextStep(channels, installed);
    if (step === undefined) return false;
    steps.push(describeStep(step, installed?.name));
    if (seen.has(step.entry.name)) return true;
    seen.add(step.entry.name);
    installed = step.entry;
  }
}

interface Found {
  readonly entry: VersionedEntry;
  readonly channel: Ordered;
  readonly edges: readonly Edge[];
}

function nextStep(
  channels: readonly Ordered[],
  installed: ClassicRequest['installed'],
): Found | undefined {
  for (const channel of channels) {
    for (const entry of channel.entries) {
      if (installed === undefined) return { entry, channel, edges: [] };
      const origin = { name: installed.name, version: installedVersion(installed.version) };
      const edges = edgesTo([{ entry, channel: channel.channel }], origin);
      if (edges.length > 0) return { entry, channel, edges };
    }
  }
  return undefined;
}

function describeStep({ entry, channel, edges }: Found, from: string | undefined): Step {
  const names = channel.entries.map(({ name }) => name);
  const end = from === undefined ? -1 : names.indexOf(from);
  const passedOver = end < 0 ? [] : names.slice(names.indexOf(entry.name) + 1, end);
  return {
    ...(from === undefined ? {} : { from }),
    to: entry.name,
    channel: channel.channel,
    edges,
    passedOver,
  };
}

/** The default channel first, then by name; every channel must have one unique chain. */
function orderChannels(request: ClassicRequest): Ordered[] {
  const { packageName, channel, defaultChannel } = request;
  const chosen = request.channels
    .filter(({ name, entries }) => (channel === '' || name === channel) && entries.length > 0)
    .toSorted((a, b) => rank(a.name) - rank(b.name) || (a.name < b.name ? -1 : 1));
  if (chosen.length === 0) {
    throw new ResolutionError(
      `constraints not satisfiable: no operators found in channel ${channel} of package ${packageName} in the catalog referenced by subscription sub, subscription sub exists`,
    );
  }
  return chosen.map((each) => ({
    channel: each.name,
    entries: channelOrder(packageName, each),
  }));

  function rank(name: string): number {
    return name === defaultChannel ? 0 : 1;
  }
}

/** A ClusterServiceVersion without a version has 0.0.0. */
function installedVersion(text: string | undefined): Version {
  return readVersion(text ?? '') ?? { major: 0, minor: 0, patch: 0, prerelease: [], build: [] };
}
