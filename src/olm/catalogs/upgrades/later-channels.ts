/**
 * Ways from one channel into a later one. Who changes the channel of a Subscription goes on only where an
 * entry of the new channel replaces, skips or covers what is installed.
 */
import { compareVersions } from '../../../text/versions/index.js';
import type { Origin } from './edges.js';
import { originOf, type ChannelState, type PackageState } from './package-state.js';

/** The head of a channel from which no channel with a higher head can be reached. */
export interface StrandedHead {
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
