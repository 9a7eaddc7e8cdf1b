/** IP addresses, CIDRs and MACs as Go's net package and Kubernetes' tolerant fork of it read them. */
import { append } from '../long-lists.js';

/** Whether octets with leading zeros are tolerated, as Go did before 1.17. */
interface AddressOptions {
  readonly leadingZeros: boolean;
}

const strict: AddressOptions = { leadingZeros: false };

export function parseIPv4(text: string, options = strict): number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  const pattern = options.leadingZeros ? /^\d+$/ : /^(0|[1-9]\d{0,2})$/;
  if (!parts.every((part) => pattern.test(part) && Number(part) <= 255)) return undefined;
  return parts.map(Number);
}

export function parseIPv6(text: string, options = strict): number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2 || text.includes(':::')) return undefined;
  const head = groups(halves[0] ?? '', halves.length === 1, options);
  if (head === undefined) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  const tail = groups(halves[1] ?? '', true, options);
  // An ellipsis stands for one group at least.
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

function groups(text: string, last: boolean, options: AddressOptions): number[] | undefined {
  if (text === '') return last || text === '' ? [] : undefined;
  const bytes: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const four = last && index === parts.length - 1 ? parseIPv4(part, options) : undefined;
      if (four === undefined) return undefined;
      append(bytes, four);
    } else {
      const pattern = options.leadingZeros ? /^[0-9a-fA-F]+$/ : /^[0-9a-fA-F]{1,4}$/;
      const group = pattern.test(part) ? parseInt(part, 16) : Infinity;
      if (group > 0xffff) return undefined;
      bytes.push(group >> 8, group & 0xff);
    }
  }
  return bytes;
}

/** `net.ParseIP`: four bytes for dotted text, sixteen for text with a colon. */
export function parseIP(text: string, options = strict): number[] | undefined {
  const first = /[.:]/.exec(text)?.[0];
  if (first === '.') return parseIPv4(text, options);
  return first === ':' ? parseIPv6(text, options) : undefined;
}

/** `netutils.ParseCIDRSloppy`. */
export function isCIDR(text: string): boolean {
  const slash = text.indexOf('/');
  if (slash < 0) return false;
  const sloppy = { leadingZeros: true };
  const address = text.slice(0, slash);
  const mask = text.slice(slash + 1);
  const bytes = parseIPv4(address, sloppy) ?? parseIPv6(address, sloppy);
  return bytes !== undefined && /^\d{1,9}$/.test(mask) && Number(mask) <= bytes.length * 8;
}

/** `net.ParseMAC`: 6, 8 or 20 bytes, in pairs, in groups of four, or bare. */
export function isMAC(text: string): boolean {
  const hex = '[0-9a-fA-F]{2}';
  return (
    [6, 8, 20].some((bytes) =>
      new RegExp(`^${hex}(?:(?::${hex}){${bytes - 1}}|(?:-${hex}){${bytes - 1}})$`).test(text),
    ) ||
    /^[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4}){2}$|^[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4}){3}$|^[0-9a-fA-F]{4}(\.[0-9a-fA-F]{4}){9}$/.test(
      text,
    ) ||
    /^[0-9a-fA-F]{12}$|^[0-9a-fA-F]{16}$|^[0-9a-fA-F]{40}$/.test(text)
  );
}
