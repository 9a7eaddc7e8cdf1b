/** Parses addresses and prefixes, with the error texts of Go's net/netip. */
import { parseIPv4, parseIPv6 } from '../../text/formats/network.js';
import { quote } from '../../text/go/index.js';

export interface AddressText {
  readonly bytes: readonly number[];
  readonly hasZone: boolean;
}

/** `netip.ParseAddr`; a string is its error. */
export function readAddress(text: string): AddressText | string {
  const refused = (reason: Reason): string =>
    `ParseAddr(${quote(text)}): ${reason.message}${reason.at ? ` (at ${quote(reason.at)})` : ''}`;
  switch (/[.:%]/.exec(text)?.[0]) {
    case '.': {
      const bytes = parseIPv4(text);
      return bytes ? { bytes, hasZone: false } : refused(whyNoIPv4(text));
    }
    case ':': {
      const percent = text.indexOf('%');
      const hasZone = percent >= 0;
      if (percent === text.length - 1)
        return refused({ message: 'zone must be a non-empty string' });
      const address = hasZone ? text.slice(0, percent) : text;
      const bytes = parseIPv6(address);
      return bytes ? { bytes, hasZone } : refused(whyNoIPv6(address));
    }
    case '%':
      return refused({ message: 'missing IPv6 address' });
    default:
      return refused({ message: 'unable to parse IP' });
  }
}

/** `netip.ParsePrefix`; a string is its error. */
export function readPrefix(
  text: string,
): { readonly bytes: readonly number[]; readonly bits: number } | string {
  const refused = (reason: string): string => `netip.ParsePrefix(${quote(text)}): ${reason}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return refused("no '/'");
  const address = readAddress(text.slice(0, slash));
  if (typeof address === 'string') return refused(address);
  if (address.hasZone) return refused('IPv6 zones cannot be present in a prefix');
  const bits = text.slice(slash + 1);
  // Past 64 bits it is no number to Go.
  if (!/^(?:\d|[1-9]\d{0,17})$/.test(bits)) {
    return refused(`bad bits after slash: ${quote(bits)}`);
  }
  const { bytes } = address;
  if (Number(bits) > bytes.length * 8) return refused('prefix length out of range');
  return { bytes, bits: Number(bits) };
}

interface Reason {
  readonly message: string;
  /** The rest that could not be read. */
  readonly at?: string;
}

function whyNoIPv4(text: string): Reason {
  const fields = text.split('.');
  let start = 0;
  for (const [index, field] of fields.entries()) {
    const isLast = index === fields.length - 1;
    // The dot at which a digit is missing is the one behind it, at the end the one before.
    const dot = isLast ? text.slice(start - 1) : text.slice(start);
    if (field === '') return { message: 'IPv4 field must have at least one digit', at: dot };
    const other = field.search(/\D/);
    const digits = other < 0 ? field : field.slice(0, other);
    if (/^0\d/.test(digits)) return { message: 'IPv4 field has octet with leading zero' };
    if (Number(digits) > 255) return { message: 'IPv4 field has value >255' };
    if (other >= 0) return { message: 'unexpected character', at: text.slice(start + other) };
    start += field.length + 1;
    if (isLast) continue;
    if (text.slice(start) === '') {
      return { message: 'IPv4 field must have at least one digit', at: '.' };
    }
    if (index === 3) return { message: 'IPv4 address too long' };
  }
  return { message: 'IPv4 address too short' };
}

/** Group by group, as far as it can be read. */
function whyNoIPv6(text: string): Reason {
  let rest = text;
  let bytes = 0;
  let hasEllipsis = rest.startsWith('::');
  if (hasEllipsis) rest = rest.slice(2);
  while (bytes < 16) {
    const [digits = ''] = /^[0-9a-fA-F]*/.exec(rest) ?? [];
    if (digits.length > 4) return { message: 'each group must have 4 or less digits', at: rest };
    if (digits === '') {
      const message = 'each colon-separated field must have at least one digit';
      return { message, at: rest };
    }
    if (rest[digits.length] === '.') return whyNoTail(rest, bytes, hasEllipsis);
    bytes += 2;
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (!rest.startsWith(':')) return { message: 'unexpected character, want colon', at: rest };
    if (rest === ':') return { message: 'colon must be followed by more characters', at: rest };
    rest = rest.slice(1);
    if (!rest.startsWith(':')) continue;
    if (hasEllipsis) return { message: 'multiple :: in address', at: rest };
    hasEllipsis = true;
    rest = rest.slice(1);
    if (rest === '') break;
  }
  if (rest !== '') return { message: 'trailing garbage after address', at: rest };
  if (bytes < 16) return { message: 'address string too short' };
  return { message: 'the :: must expand to at least one field of zeros' };
}

/** Why a last part with dots is not an IPv4 address. */
function whyNoTail(rest: string, bytes: number, hasEllipsis: boolean): Reason {
  if (!hasEllipsis && bytes !== 12) {
    const message = 'embedded IPv4 address must replace the final 2 fields of the address';
    return { message, at: rest };
  }
  if (bytes > 12) {
    const message = 'too many hex fields to fit an embedded IPv4 at the end of the address';
    return { message, at: rest };
  }
  if (parseIPv4(rest) === undefined) return whyNoIPv4(rest);
  return { message: 'the :: must expand to at least one field of zeros' };
}
