/** Versions written carelessly. Rule: blang/semver 4.0.0 `ParseTolerant`. */
import { InvalidVersionError } from './error.js';
import { trimSpace } from '../go/index.js';
import { type Version, parseVersion } from './version.js';

/** Blanks, a leading `v`, leading zeros and missing numbers are forgiven. @throws InvalidVersionError */
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
