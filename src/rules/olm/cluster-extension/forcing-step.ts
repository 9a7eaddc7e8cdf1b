import type { ExtensionOutcome } from '../../../olm/extension-outcome.js';
import { compareVersions, readVersion } from '../../../text/versions/index.js';

/** What the range asks for, when only force could do it: nothing higher of the same major is in it. */
export function isForcing({ extension, outcome }: ExtensionOutcome): string | undefined {
  const asksFor = extension.version !== '' && extension.installed !== undefined;
  if (outcome.kind !== 'no-path' || outcome.best === undefined || !asksFor) return undefined;
  const from = readVersion(extension.installed.version);
  if (from === undefined) return undefined;
  const { chosen, passedOver } = outcome.best;
  const higher = [chosen, ...passedOver].flatMap(({ versionRelease }) =>
    versionRelease !== undefined && compareVersions(versionRelease.version, from) > 0
      ? [versionRelease.version]
      : [],
  );
  if (higher.some(({ major }) => major === from.major)) return undefined;
  return compareVersions(chosen.versionRelease.version, from) < 0
    ? 'going back to'
    : 'going to the next major version';
}
