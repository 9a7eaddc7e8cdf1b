import type { ChannelEntry } from '../catalog.js';

/** An entry of a channel, as it is read where a catalog leaves the rest out. */
export function entryOf<Given extends Partial<ChannelEntry> & { readonly name: string }>(
  given: Given,
): ChannelEntry & Given {
  return { replaces: '', skips: [], skipRange: '', ...given };
}
