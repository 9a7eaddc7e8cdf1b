/** Comparisons of both dialects in words, wildcards and shorthands written out. */
import type { BlangComparison, BlangRange } from './blang-range.js';
import type { Integer } from './integer.js';
import type { MastermindsAlternative, MastermindsComparison } from './masterminds-parse.js';
import { type Version, formatVersion } from './version.js';

/** One alternative of OLM v1's dialect, e.g. `from 1.11.0 and below 1.13.0`. */
export function mastermindsWords({ comparisons }: MastermindsAlternative): string {
  return comparisons.map(mastermindsComparison).join(' and ');
}

/** One alternative of OLM classic's dialect. */
export function blangWords(comparisons: BlangRange['alternatives'][number]): string {
  return comparisons.map(blangComparison).join(' and ');
}

function blangComparison({ operator, version }: BlangComparison): string {
  const text = formatVersion({ ...version, build: [] });
  switch (operator) {
    case '=':
      return `exactly ${text}`;
    case '!=':
      return `not ${text}`;
    case '<':
      return `below ${text}`;
    case '<=':
      return `up to ${text}`;
    case '>':
      return `above ${text}`;
    case '>=':
      return `from ${text}`;
  }
}

function mastermindsComparison(comparison: MastermindsComparison): string {
  const { operator, version, wildcard } = comparison;
  const text = formatVersion(version);
  switch (operator) {
    case '=':
      return wildcard === 'none' ? `exactly ${text}` : tilde(comparison);
    case '!=':
      return `not ${{ none: text, major: text, minor: `${version.major}.*`, patch: `${version.major}.${version.minor}.*` }[wildcard]}`;
    case '<':
      return `below ${text}`;
    case '>=':
      return `from ${text}`;
    case '>':
      return wildcard === 'minor' || wildcard === 'patch'
        ? `from ${next(version, wildcard)}`
        : `above ${text}`;
    case '<=':
      if (wildcard === 'none') return `up to ${text}`;
      return `below ${wildcard === 'minor' ? next(version, 'minor') : next(version, 'patch')}`;
    case '~':
      return tilde(comparison);
    case '^':
      return caret(comparison);
  }
}

function tilde({ version, wildcard }: MastermindsComparison): string {
  const text = formatVersion(version);
  const anything = wildcard === 'none' || wildcard === 'major';
  if (anything && version.major === 0 && version.minor === 0 && version.patch === 0) {
    return `from ${text}`;
  }
  return `from ${text} and before ${next(version, wildcard === 'minor' ? 'minor' : 'patch')}`;
}

function caret({ version, wildcard }: MastermindsComparison): string {
  const { major, minor, patch } = version;
  const from = `from ${formatVersion(version)} and before`;
  if (major > 0 || wildcard === 'minor') return `${from} ${next(version, 'minor')}`;
  if (minor > 0 || wildcard === 'patch') return `${from} ${next(version, 'patch')}`;
  return `${from} 0.0.${increment(patch)}`;
}

/** The first version after all that share the parts before the wildcard. */
function next({ major, minor }: Version, wildcard: 'minor' | 'patch'): string {
  return wildcard === 'minor' ? `${increment(major)}.0.0` : `${major}.${increment(minor)}.0`;
}

function increment(number: Integer): string {
  return String(BigInt(number) + 1n);
}
