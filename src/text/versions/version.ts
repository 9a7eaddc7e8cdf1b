/** Semantic versions as OLM reads them: strict, with 64-bit parts. */
import parse from 'semver/functions/parse.js';
import { InvalidVersionError } from './error.js';
import { compareValues } from '../group.js';
import { type Integer, parseUint64 } from './integer.js';
import { quote } from '../go/index.js';

/** `major.minor.patch-prerelease+build`; numeric pre-release identifiers are integers, others text. */
export interface Version {
  readonly major: Integer;
  readonly minor: Integer;
  readonly patch: Integer;
  readonly prerelease: readonly (Integer | string)[];
  readonly build: readonly string[];
}

/** Versions that npm's semver reads exactly as blang does: no prefix, no blanks, no part it would lose digits of. */
const plain = /^(?!.*[0-9]{16})[0-9][0-9A-Za-z.+-]{0,255}$/;

/** Rule: blang/semver 4.0.0 `Parse`, with its text in {@link InvalidVersionError}. */
export function parseVersion(text: string): Version {
  const read = plain.test(text) ? parse(text) : null;
  if (read === null) return parseExactly(text);
  const { major, minor, patch, prerelease, build } = read;
  return { major, minor, patch, prerelease, build };
}

export function readVersion(text: string): Version | undefined {
  try {
    return parseVersion(text);
  } catch (error) {
    if (error instanceof InvalidVersionError) return undefined;
    throw error;
  }
}

/** Precedence of SemVer 2.0.0, section 11: build metadata does not count. */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  if (a.major !== b.major) return compareValues(a.major, b.major);
  if (a.minor !== b.minor) return compareValues(a.minor, b.minor);
  if (a.patch !== b.patch) return compareValues(a.patch, b.patch);
  return comparePrereleases(a.prerelease, b.prerelease);
}

/** SemVer 2.0.0, section 11.4: no pre-release is highest, numbers come before text, fewer before more. */
function comparePrereleases(
  a: readonly (Integer | string)[],
  b: readonly (Integer | string)[],
): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) return compareValues(b.length, a.length);
  return compareIdentifiers(a, b);
}

/** As {@link comparePrereleases}, but an empty list is lowest. */
export function compareIdentifiers(
  a: readonly (Integer | string)[],
  b: readonly (Integer | string)[],
): -1 | 0 | 1 {
  for (const [index, left] of a.entries()) {
    const right = b[index];
    if (right === undefined) return 1;
    const order = compareIdentifier(left, right);
    if (order !== 0) return order;
  }
  return compareValues(a.length, b.length);
}

/** The version without decoration, as every reference prints it. */
export function formatVersion(version: Version): string {
  const { major, minor, patch, prerelease, build } = version;
  const suffix = prerelease.length > 0 ? `-${prerelease.join('.')}` : '';
  return `${major}.${minor}.${patch}${suffix}${build.length > 0 ? `+${build.join('.')}` : ''}`;
}

/** Rule: blang's NewPRVersion. Throws {@link InvalidVersionError}. */
export function parseIdentifier(text: string): Integer | string {
  if (text === '') throw new InvalidVersionError('Prerelease is empty');
  if (/^[0-9]+$/.test(text)) {
    if (hasLeadingZero(text)) {
      throw new InvalidVersionError(
        `Numeric PreRelease version must not contain leading zeroes ${quote(text)}`,
      );
    }
    return parseUint64(text);
  }
  if (/^[0-9A-Za-z-]+$/.test(text)) return text;
  throw new InvalidVersionError(`Invalid character(s) found in prerelease ${quote(text)}`);
}

function compareIdentifier(a: Integer | string, b: Integer | string): -1 | 0 | 1 {
  // Numbers come before text.
  if (typeof a === 'string') return typeof b === 'string' ? compareValues(a, b) : 1;
  return typeof b === 'string' ? -1 : compareValues(a, b);
}

function parseExactly(text: string): Version {
  if (text === '') throw new InvalidVersionError('Version string empty');
  const [majorText, minorText, ...rest] = text.split('.');
  if (majorText === undefined || minorText === undefined || rest.length === 0) {
    throw new InvalidVersionError('No Major.Minor.Patch elements found');
  }
  const major = parseNumber(majorText, 'major');
  const minor = parseNumber(minorText, 'minor');
  const [withoutBuild, buildText] = cut(rest.join('.'), '+');
  const [patchText, prereleaseText] = cut(withoutBuild, '-');
  return {
    major,
    minor,
    patch: parseNumber(patchText, 'patch'),
    prerelease: prereleaseText?.split('.').map(parseIdentifier) ?? [],
    build: buildText?.split('.').map(parseBuildIdentifier) ?? [],
  };
}

function parseNumber(text: string, part: 'major' | 'minor' | 'patch'): Integer {
  if (!/^[0-9]*$/.test(text)) {
    throw new InvalidVersionError(`Invalid character(s) found in ${part} number ${quote(text)}`);
  }
  if (hasLeadingZero(text)) {
    const name = `${part.charAt(0).toUpperCase()}${part.slice(1)}`;
    throw new InvalidVersionError(`${name} number must not contain leading zeroes ${quote(text)}`);
  }
  return parseUint64(text);
}

function parseBuildIdentifier(text: string): string {
  if (text === '') throw new InvalidVersionError('Build meta data is empty');
  if (/^[0-9A-Za-z-]+$/.test(text)) return text;
  throw new InvalidVersionError(`Invalid character(s) found in build meta data ${quote(text)}`);
}

function hasLeadingZero(digits: string): boolean {
  return digits.length > 1 && digits.startsWith('0');
}

function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}
