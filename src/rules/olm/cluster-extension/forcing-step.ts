import type { ExtensionOutcome } from '../../../olm/extension-outcome.js';
import { compareVersions, readVersion } from '../../../text/versions/index.js';

/** What the range asks for, when only force could do it. */
export function isForcing({ extension, outcome }: ExtensionOutcome): string | undefined {
  const asksFor = extension.version !== '' && extension.installed !== undefined;
  if (outcome.kind !== 'no-path' || outcome.best === undefined || !asksFor) return undefined;
  const from = readVersion(extension.installed.version);
  if (from === undefined) return undefined;
  const { version } = outcome.best.chosen.versionRelease;
  if (compareVersions(version, from) < 0) return 'going back to';
  return BigInt(version.major) > BigInt(from.major) ? 'going to the next major version' : undefined;
}
