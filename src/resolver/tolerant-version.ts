/**
 * Versions as OLM reads them where it is lenient: a bundle's own version, and `semver_compare` in CEL.
 * Rule: blang/semver 4.0.0 `ParseTolerant`.
 */
import { type Version, readVersion } from '../text/versions/index.js';

/** `v1`, `1.2`, `01.2.3` and blanks around are accepted; undefined for what is no version even so. */
export function readTolerantVersion(given: string): Version | undefined {
  const text = given.trim().replace(/^v/, '');
  const [major = '', minor, ...rest] = text.split('.');
  const parts = minor === undefined ? [major] : [major, minor];
  if (rest.length > 0) parts.push(rest.join('.'));
  const trimmed = parts.map(withoutLeadingZeros);
  if (trimmed.length < 3 && /[+-]/.test(trimmed.at(-1) ?? '')) return undefined;
  while (trimmed.length < 3) trimmed.push('0');
  return readVersion(trimmed.join('.'));
}

function withoutLeadingZeros(part: string): string {
  if (part.length <= 1) return part;
  const rest = part.replace(/^0+/, '');
  return /^[0-9]/.test(rest) ? rest : `0${rest}`;
}
