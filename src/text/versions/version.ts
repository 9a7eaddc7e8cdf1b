/** Versions as OLM reads them, strictly or not, with 64-bit parts; and the order of those of Kubernetes' APIs. */
import { decimalOf, maxInt64, minInt64, quote, trimSpace, compareBytes } from '../go/index.js';
import parse from 'semver/functions/parse.js';
import { compareValues } from '../group.js';

/** An invalid version or range. `message` is the text that the reference library prints, or ours where the library crashes. */
export class InvalidVersionError extends Error {
  override readonly name = 'InvalidVersionError';

  constructor(
    message: string,
    readonly code: 'E_VERSION' | 'E_RANGE' = 'E_VERSION',
  ) {
    super(message);
  }
}

export function invalidRange(message: string): InvalidVersionError {
  return new InvalidVersionError(message, 'E_RANGE');
}

/** A number up to 2^53 - 1, a bigint only beyond: so `===`, `<` and `>` compare any two of them rightly. */
export type Integer = number | bigint;

const MAX_UINT64 = 2n ** 64n - 1n;

/** Rule: Go's strconv.ParseUint(text, 10, 64); undefined where the text is no such number, or the number is too large. */
export function readUint64(text: string): Integer | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined;
  if (text.length < 16) return Number(text);
  const value = decimalOf(text);
  return value === undefined || value > MAX_UINT64 ? undefined : smallest(value);
}

/** As {@link readUint64}, but throws {@link InvalidVersionError} with strconv's text. */
function parseUint64(text: string): Integer {
  const value = readUint64(text);
  if (value !== undefined) return value;
  const reason = /^[0-9]+$/.test(text) ? 'value out of range' : 'invalid syntax';
  throw new InvalidVersionError(`strconv.ParseUint: parsing ${quote(text)}: ${reason}`);
}

/** Rule: Go's strconv.Atoi on a 64-bit machine; a sign is allowed. */
export function readInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined;
  const value = decimalOf(text);
  return value === undefined || value > maxInt64 || value < minInt64 ? undefined : value;
}

export function smallest(value: bigint): Integer {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

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
    const order =
      typeof left === 'string'
        ? typeof right === 'string'
          ? compareValues(left, right)
          : 1
        : typeof right === 'string'
          ? -1
          : compareValues(left, right);
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

/** Rule: blang/semver 4.0.0 `ParseTolerant`: blanks, `v`, leading zeros and missing numbers are accepted. @throws InvalidVersionError */
export function parseTolerantVersion(text: string): Version {
  const trimmed = trimSpace(text);
  const [first = '', second, ...rest] = trimmed.replace(/^v/, '').split('.');
  const parts = [first, second, rest.length > 0 ? rest.join('.') : undefined]
    .filter((part) => part !== undefined)
    .map(withoutLeadingZeros);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) {
    throw new InvalidVersionError('Short version cannot contain PreRelease/Build meta data');
  }
  while (parts.length < 3) parts.push('0');
  return parseVersion(parts.join('.'));
}

export function readTolerantVersion(text: string): Version | undefined {
  try {
    return parseTolerantVersion(text);
  } catch (error) {
    if (error instanceof InvalidVersionError) return undefined;
    throw error;
  }
}

/** A part that has no digit to start with gets a zero, which is why a message may read `"0abc"`. */
function withoutLeadingZeros(part: string): string {
  if (Buffer.byteLength(part) < 2) return part;
  const stripped = part.replace(/^0+/, '');
  return /^[0-9]/.test(stripped) ? stripped : `0${stripped}`;
}

const stages = ['alpha', 'beta', ''];

/**
 * Rule: `CompareKubeAwareVersionStrings`: names of no `v1beta1` form come below, the alphabetically earlier higher.
 */
export function compareKubernetesVersions(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  const left = parseStage(a);
  const right = parseStage(b);
  if (left === undefined || right === undefined) {
    if (left === undefined && right === undefined) return compareBytes(b, a);
    return left === undefined ? -1 : 1;
  }
  return (
    compareValues(left.stage, right.stage) ||
    compareValues(left.major, right.major) ||
    compareValues(left.minor, right.minor)
  );
}

function parseStage(text: string): { stage: number; major: bigint; minor: bigint } | undefined {
  const match = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/.exec(text);
  if (match === null) return undefined;
  const major = readInt64(match[1] ?? '');
  const minor = readInt64(match[3] ?? '0');
  if (major === undefined || minor === undefined) return undefined;
  return { stage: stages.indexOf(match[2] ?? ''), major, minor };
}
