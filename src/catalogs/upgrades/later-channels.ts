/**
 * Ways from one channel into a later one. Who changes the channel of a Subscription goes on only where an
 * entry of the new channel replaces, skips or covers what is installed.
 */
import { compareVersions, type Version } from '../../text/versions/index.js';
import { originOf, type ChannelState, type Origin, type PackageState } from './package-state.js';

/** The head of a channel from which no channel with a higher head can be reached. */
export interface StrandedHead {
  readonly channel: ChannelState;
  readonly head: string;
  /** The lowest of the later channels. */
  readonly next: string;
  /** An older entry of the channel that gets on where the head does not. */
  readonly older?: { readonly name: string; readonly to: string; readonly channel: string };
}

/** Older entries that are tried, from the head down: some channels have thousands. */
const maxOlder = 100;

export function strandedHeads(state: PackageState): StrandedHead[] {
  const all = [...state.channels.values()].flatMap((channel) => {
    const [head] = channel.chain;
    return head === undefined ? [] : [{ channel, head: originOf(head.name, [state]) }];
  });
  return all.flatMap(({ channel, head }) => {
    const later = laterThan(head.version, all);
    const [next] = later;
    if (next === undefined || reached(head, later) !== undefined) return [];
    const older = channel.chain.slice(1, 1 + maxOlder).flatMap(({ name }) => {
      const target = reached(originOf(name, [state]), later);
      return target === undefined ? [] : [{ name, ...target }];
    })[0];
    return [{ channel, head: head.name, next: next.name, ...(older && { older }) }];
  });
}

interface Headed {
  readonly channel: ChannelState;
  readonly head: Origin;
}

/** The lowest first. */
function laterThan(version: Version, all: readonly Headed[]): ChannelState[] {
  return all
    .filter(({ head }) => compareVersions(head.version, version) > 0)
    .toSorted((a, b) => compareVersions(a.head.version, b.head.version))
    .map(({ channel }) => channel);
}

function reached(
  origin: Origin,
  channels: readonly ChannelState[],
): { readonly to: string; readonly channel: string } | undefined {
  for (const channel of channels) {
    const [target] = channel.successors(origin);
    if (target !== undefined) return { to: target.name, channel: channel.name };
  }
  return undefined;
}
