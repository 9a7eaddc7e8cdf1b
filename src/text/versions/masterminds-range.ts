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

function holds(comparison: MastermindsComparison, version: Version): boolean {
  const order = compareVersions(version, comparison.version);
  switch (comparison.operator) {
    case '=':
      return comparison.wildcard === 'none' ? order === 0 : withinTilde(comparison, version, order);
    case '!=':
      return differs(comparison, version, order);
    case '<':
      return order < 0;
    case '>=':
      return order >= 0;
    case '>':
      return isAbove(comparison, version, order);
    case '<=':
      return isAtMost(comparison, version, order);
    case '~':
      return withinTilde(comparison, version, order);
    case '^':
      return withinCaret(comparison, version, order);
  }
}

/** `!=1.x` excludes every 1.*, `!=1.2.x` every 1.2.* with the same pre-release, `!=*` only 0.0.0. */
function differs(
  { version: bound, wildcard }: MastermindsComparison,
  version: Version,
  order: number,
): boolean {
  switch (wildcard) {
    case 'minor':
      return version.major !== bound.major;
    case 'patch':
      return (
        version.major !== bound.major ||
        version.minor !== bound.minor ||
        version.prerelease.join('.') !== bound.prerelease.join('.')
      );
    case 'none':
    case 'major':
      return order !== 0;
  }
}

/** `>11` is 12 and later, `>11.1` is 11.2 and later. */
function isAbove(
  { version: bound, wildcard }: MastermindsComparison,
  version: Version,
  order: number,
): boolean {
  switch (wildcard) {
    case 'minor':
      return version.major > bound.major;
    case 'patch':
      return (
        version.major > bound.major ||
        (version.major === bound.major && version.minor > bound.minor)
      );
    case 'none':
    case 'major':
      return order > 0;
  }
}

/** `<=11` takes in every 11.*, `<=11.1` every 11.1.*; `<=*` only 0.0.*. */
function isAtMost(
  { version: bound, wildcard }: MastermindsComparison,
  version: Version,
  order: number,
): boolean {
  if (wildcard === 'none') return order <= 0;
  if (version.major !== bound.major) return version.major < bound.major;
  return wildcard === 'minor' || version.minor <= bound.minor;
}

/** Same major and minor; `~1` same major; `~*` and `~0.0.0` anything from 0.0.0. */
function withinTilde(
  { version: bound, wildcard }: MastermindsComparison,
  version: Version,
  order: number,
): boolean {
  if (order < 0) return false;
  const anything = wildcard === 'none' || wildcard === 'major';
  if (anything && bound.major === 0 && bound.minor === 0 && bound.patch === 0) return true;
  return version.major === bound.major && (wildcard === 'minor' || version.minor === bound.minor);
}

/** Same leftmost part that is not zero; `^*` only 0.0.0. */
function withinCaret(
  { version: bound, wildcard }: MastermindsComparison,
  version: Version,
  order: number,
): boolean {
  if (order < 0 || version.major !== bound.major) return false;
  if (bound.major > 0 || wildcard === 'minor') return true;
  if (version.minor !== bound.minor) return false;
  return bound.minor > 0 || wildcard === 'patch' || version.patch === bound.patch;
}
