import { installedAs, type Candidate } from '../../../catalogs/upgrades/index.js';
import type { ExtensionOutcome } from '../../../objects/extension-outcome.js';
import { compareVersions, readVersion } from '../../../../text/versions/index.js';

/** From further away than this, only the first step is named. */
const maxSteps = 20;

/** By which versions update edges lead into the range, one after the other; empty where they do not. */
export function wayIntoRange({ extension, ask }: ExtensionOutcome): readonly Candidate[] {
  const way: Candidate[] = [];
  let { installed } = extension;
  while (installed !== undefined && way.length < maxSteps) {
    const there = ask({ installed });
    if (there !== undefined) return [...way, there.chosen];
    const next = ask({ version: '', installed });
    if (next === undefined || next.stays) return [];
    way.push(next.chosen);
    installed = installedAs(next, false);
  }
  return [];
}

/** How the range could be reached by force alone: it holds nothing higher of the same major, and no update edges lead there. */
export function isForcing(found: ExtensionOutcome): string | undefined {
  const { extension, outcome } = found;
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
  if (wayIntoRange(found).length > 0) return undefined;
  return compareVersions(chosen.versionRelease.version, from) < 0
    ? 'going back to'
    : 'going to the next major version';
}
