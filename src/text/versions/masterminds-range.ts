/** OLM v1's ranges. Rule: Masterminds/semver 3.5.0 `NewConstraint`, in time linear in the text, and `Constraints.Check`. */
import { invalidRange, readUint64, type Version, compareVersions } from './version.js';
import { quote } from '../go/index.js';

type MastermindsOperator = '=' | '!=' | '<' | '<=' | '>' | '>=' | '~' | '^';

/** The first part that is left out or a wildcard; the parts after it do not count. */
type Wildcard = 'none' | 'major' | 'minor' | 'patch';

export interface MastermindsComparison {
  readonly operator: MastermindsOperator;
  /** Zero in every part from the wildcard on. */
  readonly version: Version;
  readonly wildcard: Wildcard;
  readonly text: string;
}

/** Comparisons that must all hold; `prerelease` when one of them names a pre-release. */
export interface MastermindsAlternative {
  readonly comparisons: readonly MastermindsComparison[];
  readonly prerelease: boolean;
}

export interface MastermindsRange {
  readonly alternatives: readonly MastermindsAlternative[];
}

const MAX_BYTES = 512;
const MAX_ALTERNATIVES = 32;
const MAX_VERSION_BYTES = 256;

/** White space of Go's regular expressions, which is less than JavaScript's. */
const blank = '[\\t\\n\\f\\r ]';
const part = '[0-9|xX*]+';
const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const versionPattern = `v?(${part})(?:\\.(${part}))?(?:\\.(${part}))?(?:-(${identifiers}))?(?:\\+(${identifiers}))?`;
const versionWithoutGroups = versionPattern.replaceAll(/\((?!\?)/g, '(?:');
const hyphenRange = new RegExp(
  `${blank}*(${versionWithoutGroups})${blank}+-${blank}+(${versionWithoutGroups})${blank}*`,
  'g',
);
const wholeVersion = new RegExp(`^${versionPattern}$`);
const term = new RegExp(`${blank}*([=!<>~^]*)${blank}*([^\\t\\n\\f\\r ,]+)`, 'y');
const separator = new RegExp(`${blank}+,?|,`, 'y');
const blanks = new RegExp(`^${blank}+|${blank}+$`, 'g');

const operators = new Map<string, MastermindsOperator>([
  ['', '='],
  ['=', '='],
  ['!=', '!='],
  ['>', '>'],
  ['<', '<'],
  ['>=', '>='],
  ['=>', '>='],
  ['<=', '<='],
  ['=<', '<='],
  ['~', '~'],
  ['~>', '~'],
  ['^', '^'],
]);

/** Throws {@link InvalidVersionError} with the library's text. */
export function readMastermindsRange(text: string): MastermindsRange {
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw invalidRange(`constraint string is too long (max ${MAX_BYTES} bytes)`);
  }
  const alternatives = rewriteHyphens(text).split('||');
  if (alternatives.length > MAX_ALTERNATIVES) {
    throw invalidRange(`too many constraint groups (max ${MAX_ALTERNATIVES})`);
  }
  return {
    alternatives: alternatives.map((text: string): MastermindsAlternative => {
      const comparisons = splitTerms(text).map(readComparison);
      return {
        comparisons,
        prerelease: comparisons.some(({ version }) => version.prerelease.length > 0),
      };
    }),
  };
}

/** `1.2 - 1.4` becomes `>= 1.2, <= 1.4 `, wherever it is. */
function rewriteHyphens(text: string): string {
  let rewritten = text;
  for (const [match, low, high] of text.matchAll(hyphenRange)) {
    rewritten = rewritten.replace(match, () => `>= ${low ?? ''}, <= ${high ?? ''} `);
  }
  return rewritten;
}

interface Term {
  readonly operator: MastermindsOperator;
  readonly version: string;
}

/** The whole alternative is checked for its form before any version in it is read. */
function splitTerms(text: string): Term[] {
  const improper = (): never => {
    throw invalidRange(`improper constraint: ${quote(text)}`);
  };
  const trimmed = text.replaceAll(blanks, '');
  const terms: Term[] = [];
  let position = 0;
  do {
    term.lastIndex = position;
    const [match, operatorText = '', version = ''] = term.exec(trimmed) ?? improper();
    const operator = operators.get(operatorText) ?? improper();
    if (!wholeVersion.test(version)) improper();
    terms.push({ operator, version });
    separator.lastIndex = position + match.length;
    position += match.length + (separator.exec(trimmed)?.[0].length ?? 0);
  } while (position < trimmed.length || trimmed.endsWith(','));
  return terms;
}

function readComparison({ operator, version: text }: Term): MastermindsComparison {
  const [, major = '', minor = '', patch = '', prerelease] = wholeVersion.exec(text) ?? [];
  const wildcard = firstWildcard(major, minor, patch);
  const kept = { none: 3, patch: 2, minor: 1, major: 0 }[wildcard];
  const numbers = [major, minor, patch].map((number, index) =>
    index < kept ? readUint64(number) : 0,
  );
  const [majorNumber, minorNumber, patchNumber] = numbers;
  const tags = prerelease?.split('.') ?? [];
  if (
    majorNumber === undefined ||
    minorNumber === undefined ||
    patchNumber === undefined ||
    tags.some((tag) => /^0[0-9]+$/.test(tag)) ||
    readLength({ major, minor, prerelease, text }, wildcard) > MAX_VERSION_BYTES
  ) {
    throw invalidRange('constraint parser error');
  }
  return {
    operator,
    wildcard,
    text: `${operator}${text}`,
    version: {
      major: majorNumber,
      minor: minorNumber,
      patch: patchNumber,
      prerelease: tags.map((tag) => readUint64(tag) ?? tag),
      build: [],
    },
  };
}

function firstWildcard(major: string, minor: string, patch: string): Wildcard {
  const open = (number: string): boolean => ['', 'x', 'X', '*'].includes(number);
  if (open(major)) return 'major';
  if (open(minor)) return 'minor';
  return open(patch) ? 'patch' : 'none';
}

/** Length of the version that the library composes from the kept parts, which it limits. */
function readLength(
  parts: { major: string; minor: string; prerelease: string | undefined; text: string },
  wildcard: Wildcard,
): number {
  const suffix = parts.prerelease === undefined ? 0 : parts.prerelease.length + 1;
  switch (wildcard) {
    case 'none':
      return parts.text.length;
    case 'patch':
      return parts.major.length + 1 + parts.minor.length + '.0'.length + suffix;
    case 'minor':
      return parts.major.length + '.0.0'.length + suffix;
    case 'major':
      return '0.0.0'.length + suffix;
  }
}

/** Throws InvalidVersionError with the library's text. */
export function parseMastermindsRange(text: string): (version: Version) => boolean {
  const range = readMastermindsRange(text);
  return (version) => matchesMastermindsRange(range, version);
}

export function matchesMastermindsRange(range: MastermindsRange, version: Version): boolean {
  return range.alternatives.some((alternative) =>
    version.prerelease.length > 0 && !alternative.prerelease
      ? false
      : alternative.comparisons.every((comparison) => holds(comparison, version)),
  );
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
