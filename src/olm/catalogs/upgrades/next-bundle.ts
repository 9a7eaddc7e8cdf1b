import { nextInChannel } from './classic-path.js';
import { classicDeadEnd, locate } from './explain-paths.js';
import { classicChannels } from './from-catalog.js';
import { type PackageInCatalog, ResolutionError } from './model.js';

interface Followed {
  readonly packageName: string;
  readonly channel: string;
  readonly installed?: string;
}

/** Why what is installed is never updated: its channel has a higher version, or the catalog has lost it; undefined where it is. */
export function updateDeadEnd(contents: PackageInCatalog, followed: Followed): string | undefined {
  const { packageName, channel, installed } = followed;
  if (installed === undefined || nextBundle(contents, followed) !== undefined) return undefined;
  const channels = classicChannels(contents).filter(({ name }) => name === channel);
  const isKnown = contents.channels.some(({ entries }) =>
    entries.some(({ name, replaces, skips }) => [name, replaces, ...skips].includes(installed)),
  );
  return (
    classicDeadEnd({ steps: [], loops: false }, packageName, channels, installed) ??
    (isKnown || channels.length === 0
      ? undefined
      : `${installed} of package ${packageName} is not in the catalog: it stays until an entry of channel ${channel} replaces, skips or covers it`)
  );
}

/** An update of what is installed, or the first one; undefined where there is none or no order. */
export function nextBundle(
  contents: PackageInCatalog,
  { packageName, channel, installed }: Followed,
): string | undefined {
  try {
    return nextInChannel({
      ...{ packageName, channel, channels: classicChannels(contents) },
      ...(installed !== undefined && {
        installed: installedIn(contents, packageName, installed),
      }),
    });
  } catch (error) {
    if (error instanceof ResolutionError) return undefined;
    throw error;
  }
}

function installedIn(
  contents: PackageInCatalog,
  packageName: string,
  name: string,
): { readonly name: string; readonly version?: string } {
  try {
    return locate(name, { packageName, catalogs: [contents] });
  } catch (error) {
    if (error instanceof ResolutionError) return { name };
    throw error;
  }
}
