/** Which versions a range of OLM v1 matches. Rule: Masterminds/semver 3.5.0 `Constraints.Check`. */
import {
  type MastermindsAlternative,
  type MastermindsComparison,
  type MastermindsRange,
  readMastermindsRange,
} from './masterminds-parse.js';
import { type Version, compareVersions } from './version.js';

/** Throws InvalidRangeError with the library's text. */
export function parseMastermindsRange(text: string): (version: Version) => boolean {
  const range = readMastermindsRange(text);
  return (version) => matchesMastermindsRange(range, version);
}

export function matchesMastermindsRange(range: MastermindsRange, version: Version): boolean {
  return range.alternatives.some((alternative) => matchesAlternative(alternative, version));
}

/** One pre-release in an alternative admits the pre-releases of every version in it. */
function matchesAlternative(alternative: MastermindsAlternative, version: Version): boolean {
  if (version.prerelease.length > 0 && !alternative.prerelease) return false;
  return alternative.comparisons.every((comparison) => holds(comparison, version));
}

/** How many numbers of a bound are written, by the first that is a wildcard. */
const writtenNumbers = { none: 3, major: 0, minor: 1, patch: 2 } as const;

function holds(comparison: MastermindsComparison, version: Version): boolean {
  const { operator, version: bound, wildcard } = comparison;
  const order = compareVersions(version, bound);
  const same = sameNumbers(version, bound);
  const written = writtenNumbers[wildcard];
  const isPartial = wildcard === 'minor' || wildcard === 'patch';
  switch (operator) {
    case '=':
      return wildcard === 'none' ? order === 0 : withinTilde(comparison, order, same);
    case '!=': {
      // `!=1.x` excludes every 1.*, `!=1.2.x` every 1.2.* with the same pre-release, `!=*` only 0.0.0.
      if (!isPartial) return order !== 0;
      const isReleaseKept = version.prerelease.join('.') === bound.prerelease.join('.');
      return same < written || (wildcard === 'patch' && !isReleaseKept);
    }
    case '<':
      return order < 0;
    case '>=':
      return order >= 0;
    case '>':
      // `>11` is 12 and later, `>11.1` is 11.2 and later.
      return order > 0 && (!isPartial || same < written);
    case '<=':
      // `<=11` takes in every 11.*, `<=11.1` every 11.1.*; `<=*` only 0.0.*.
      return order <= 0 || (wildcard !== 'none' && same >= (written || 2));
    case '~':
      return withinTilde(comparison, order, same);
    case '^':
      return withinCaret(comparison, order, same);
  }
}

/** How many of the three numbers are the same, from the left. */
function sameNumbers(one: Version, other: Version): number {
  if (one.major !== other.major) return 0;
  if (one.minor !== other.minor) return 1;
  return one.patch === other.patch ? 3 : 2;
}

/** Same major and minor; `~1` same major; `~*` and `~0.0.0` anything from 0.0.0. */
function withinTilde(
  { version: bound, wildcard }: MastermindsComparison,
  order: number,
  same: number,
): boolean {
  if (order < 0) return false;
  const anything = wildcard === 'none' || wildcard === 'major';
  if (anything && bound.major === 0 && bound.minor === 0 && bound.patch === 0) return true;
  return same >= (wildcard === 'minor' ? 1 : 2);
}

/** Same leftmost part that is not zero; `^*` only 0.0.0. */
function withinCaret(
  { version: bound, wildcard }: MastermindsComparison,
  order: number,
  same: number,
): boolean {
  if (order < 0 || same === 0) return false;
  if (bound.major > 0 || wildcard === 'minor') return true;
  return same >= 2 && (bound.minor > 0 || wildcard === 'patch' || same === 3);
}
