/** Explains a range as OLM v1 and as OLM classic read it, and where the two disagree. */
import { apiAccepts, apiRefusal } from './api-range.js';
import {
  type BlangRange,
  parseBlangRange,
  readBlangRange,
  type BlangComparison,
} from './blang-range.js';
import {
  InvalidVersionError,
  invalidRange,
  type Version,
  formatVersion,
  compareVersions,
  smallest,
  type Integer,
} from './version.js';
import {
  type MastermindsRange,
  readMastermindsRange,
  type MastermindsAlternative,
  type MastermindsComparison,
  matchesMastermindsRange,
} from './masterminds-range.js';

export type Reading =
  | { readonly valid: false; readonly error: string }
  | {
      readonly valid: true;
      /** The alternatives (OR), each in words. */
      readonly alternatives: readonly string[];
      readonly notes: readonly string[];
      /** Whether it matches the version that was asked about. */
      readonly matches?: boolean;
    };

/** A group of versions that one dialect matches and the other does not. */
export interface Disagreement {
  readonly matchedBy: 'masterminds' | 'blang';
  readonly reason: string;
  readonly examples: readonly string[];
}

export interface RangeExplanation {
  readonly range: string;
  readonly version?: string;
  /** OLM v1: `spec.source.catalog.version` of a ClusterExtension. */
  readonly masterminds: Reading;
  /** OLM classic, and edges in OLM v1: `olm.skipRange`, dependencies. */
  readonly blang: Reading;
  /** Whether the ClusterExtension API lets it through; if not, why. */
  readonly api: { readonly accepts: boolean; readonly refusal?: string };
  readonly disagreements: readonly Disagreement[];
}

const MAX_EXAMPLES = 3;

type Matcher = (version: Version) => boolean;

/** Never throws for a range: one that is not valid is explained too. */
export function explainRange(range: string, version?: Version): RangeExplanation {
  const masterminds = attempt(() => readMastermindsRange(range));
  const blang = attempt(() => demandNoEmptyAlternative(readBlangRange(range), range));
  const refusal = apiRefusal(range);
  return {
    range,
    ...(version === undefined ? {} : { version: formatVersion(version) }),
    masterminds:
      'error' in masterminds
        ? { valid: false, error: masterminds.error }
        : readMasterminds(masterminds.value, version),
    blang:
      'error' in blang
        ? { valid: false, error: blang.error }
        : readBlang(blang.value, range, version),
    api: { accepts: apiAccepts(range), refusal },
    disagreements:
      'error' in masterminds || 'error' in blang
        ? []
        : findDisagreements(masterminds.value, blang.value, range),
  };
}

function readMasterminds(range: MastermindsRange, version: Version | undefined): Reading {
  const [first, ...others] = range.alternatives.map(({ prerelease }) => prerelease);
  const mixed = others.some((prerelease) => prerelease !== first);
  const note = mixed
    ? 'pre-releases only in the alternatives that name one'
    : first === true
      ? 'pre-releases too, because it names one'
      : 'no pre-releases, because it names none';
  return {
    valid: true,
    alternatives: range.alternatives.map(mastermindsWords),
    notes: [
      ...nothing(boundsOf(range.alternatives.flatMap(({ comparisons }) => comparisons)), (each) =>
        matchesMastermindsRange(range, each),
      ),
      note,
    ],
    ...(version === undefined ? {} : { matches: matchesMastermindsRange(range, version) }),
  };
}

function readBlang(range: BlangRange, text: string, version: Version | undefined): Reading {
  const dropped = range.dropped.map((word) => JSON.stringify(word)).join(', ');
  return {
    valid: true,
    alternatives: range.alternatives.map(blangWords),
    notes: [
      ...nothing(boundsOf(range.alternatives.flat()), parseBlangRange(text)),
      'pre-releases are ordinary versions',
      ...(dropped === '' ? [] : [`single characters between blanks are dropped: ${dropped}`]),
      ...(text.includes('.x.x') ? ['.x.x means .0.x'] : []),
    ],
    ...(version === undefined ? {} : { matches: parseBlangRange(text)(version) }),
  };
}

function boundsOf(comparisons: readonly { readonly version: Version }[]): Version[] {
  return comparisons.map(({ version }) => version);
}

/** Between two pre-releases there are always more: they are left out. */
function nothing(bounds: readonly Version[], matches: Matcher): string[] {
  if (bounds.some(({ prerelease }) => prerelease.length > 0)) return [];
  return probes(bounds).some(matches) ? [] : ['matches no version at all'];
}

function findDisagreements(
  masterminds: MastermindsRange,
  blang: BlangRange,
  text: string,
): Disagreement[] {
  const matchesBlang: Matcher = parseBlangRange(text);
  const groups = new Map<string, Disagreement & { readonly examples: string[] }>();
  const bounds = boundsOf([
    ...masterminds.alternatives.flatMap(({ comparisons }) => comparisons),
    ...blang.alternatives.flat(),
  ]);
  for (const version of probes(bounds)) {
    const v1 = matchesMastermindsRange(masterminds, version);
    if (v1 === matchesBlang(version)) continue;
    const matchedBy = v1 ? 'masterminds' : 'blang';
    const reason = reasonFor(version, matchedBy);
    const group = groups.get(reason) ?? { matchedBy, reason, examples: [] };
    if (group.examples.length < MAX_EXAMPLES) group.examples.push(formatVersion(version));
    groups.set(reason, group);
  }
  return [...groups.values()];
}

function reasonFor({ prerelease }: Version, matchedBy: Disagreement['matchedBy']): string {
  if (prerelease.length === 0) {
    return matchedBy === 'masterminds'
      ? 'only OLM v1 takes these in'
      : 'only OLM classic takes these in';
  }
  return matchedBy === 'blang'
    ? 'OLM classic takes pre-releases by their order alone; OLM v1 only where the range names one'
    : 'OLM v1 takes these pre-releases in, OLM classic does not';
}

function demandNoEmptyAlternative(range: BlangRange, text: string): BlangRange {
  if (range.alternatives.every((comparisons) => comparisons.length > 0)) return range;
  throw invalidRange(`${JSON.stringify(text)} has nothing between two '||', which crashes OLM`);
}

function attempt<Value>(read: () => Value): { readonly value: Value } | { readonly error: string } {
  try {
    return { value: read() };
  } catch (error) {
    if (error instanceof InvalidVersionError) return { error: error.message };
    throw error;
  }
}

/** Distinct, rising; includes 0.0.0 and a pre-release beside every release. */
function probes(bounds: readonly Version[]): Version[] {
  const found = new Map<string, Version>();
  for (const bound of [{ major: 0, minor: 0, patch: 0 }, ...bounds]) {
    for (const [major, minor, patch] of neighbours(bound)) {
      const release = { major, minor, patch, prerelease: [], build: [] };
      const versions = [release, { ...release, prerelease: ['alpha'] }];
      if ('prerelease' in bound && bound.prerelease.length > 0) {
        versions.push({ ...release, prerelease: bound.prerelease.map(String) });
      }
      for (const version of versions) found.set(formatVersion(version), version);
    }
  }
  return [...found.values()].toSorted(compareVersions);
}

type Numbers = readonly [major: Integer, minor: Integer, patch: Integer];

function neighbours({
  major,
  minor,
  patch,
}: Pick<Version, 'major' | 'minor' | 'patch'>): Numbers[] {
  return [
    [major, minor, patch],
    [major, minor, shift(patch, 1)],
    [major, minor, shift(patch, -1)],
    [major, shift(minor, 1), 0],
    [major, shift(minor, -1), 0],
    [shift(major, 1), 0, 0],
    [shift(major, -1), 0, 0],
  ];
}

/** Stays where it is at either end. */
function shift(number: Integer, by: 1 | -1): Integer {
  if (by === -1) return number === 0 ? 0 : smallest(BigInt(number) - 1n);
  return smallest(BigInt.asUintN(64, BigInt(number) + 1n));
}

/** One alternative of OLM v1's dialect, e.g. `from 1.11.0 and below 1.13.0`. */
function mastermindsWords({ comparisons }: MastermindsAlternative): string {
  return comparisons.map(mastermindsComparison).join(' and ');
}

function blangWords(comparisons: BlangRange['alternatives'][number]): string {
  return comparisons.map(blangComparison).join(' and ');
}

const words = {
  '=': 'exactly',
  '!=': 'not',
  '<': 'below',
  '<=': 'up to',
  '>': 'above',
  '>=': 'from',
} as const;

function blangComparison({ operator, version }: BlangComparison): string {
  return `${words[operator]} ${formatVersion({ ...version, build: [] })}`;
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
    case '>=':
      return `${words[operator]} ${text}`;
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
