/** Addresses and URLs as Go's net and net/url and Kubernetes' tolerant fork of net read them. */
import { append } from '../long-lists.js';
import { quote } from '../go/index.js';

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

export interface ParsedURL {
  readonly scheme: string;
  /** Host with port, without user information, unescaped. */
  readonly host: string;
  /** Path after unescaping. */
  readonly path: string;
  readonly rawPath: string;
  readonly rawQuery: string;
  readonly hasUser: boolean;
}

type Mode = 'path' | 'host' | 'zone' | 'user' | 'query';

/** The parsed URL, or Go's text of why it is none. */
export function parseRequestURI(text: string): ParsedURL | string {
  return parse(text, true);
}

/** `net/url.Parse`: a URL or a reference relative to one, with its fragment. */
export function parseReference(text: string): (ParsedURL & { fragment: string }) | string {
  const hash = text.indexOf('#');
  const parsed = parse(hash < 0 ? text : text.slice(0, hash), false);
  if (typeof parsed === 'string') return parsed;
  const fragment = unescape(hash < 0 ? '' : text.slice(hash + 1), 'path');
  return 'error' in fragment ? fragment.error : { ...parsed, fragment: fragment.text };
}

function parse(text: string, isRequest: boolean): ParsedURL | string {
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return 'net/url: invalid control character in URL';
  if (text === '' && isRequest) return 'empty url';
  const none = { scheme: '', host: '', rawPath: '', rawQuery: '', hasUser: false };
  if (text === '*') return { ...none, path: '*' };
  const schemeEnd = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(text)?.[0].length ?? 0;
  if (schemeEnd === 0 && text.startsWith(':')) return 'missing protocol scheme';
  const scheme = text.slice(0, Math.max(schemeEnd - 1, 0)).toLowerCase();
  let rest = text.slice(schemeEnd);
  const question = rest.indexOf('?');
  const rawQuery = question < 0 ? '' : rest.slice(question + 1);
  if (question >= 0) rest = rest.slice(0, question);
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...none, scheme, path: '', rawQuery };
    if (isRequest) return 'invalid URI for request';
    if (/^[^/]*:/.test(rest)) return 'first path segment in URL cannot contain colon';
  }
  let host = '';
  let hasUser = false;
  if ((scheme !== '' || (!isRequest && !rest.startsWith('///'))) && rest.startsWith('//')) {
    const slash = rest.indexOf('/', 2);
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
    rest = slash < 0 ? '' : rest.slice(slash);
    const parsed = parseAuthority(authority);
    if ('error' in parsed) return parsed.error;
    host = parsed.host;
    hasUser = authority.includes('@');
  }
  const path = unescape(rest, 'path');
  if ('error' in path) return path.error;
  return { scheme, host, path: path.text, rawPath: rest, rawQuery, hasUser };
}

function parseAuthority(authority: string): { host: string } | { error: string } {
  const at = authority.lastIndexOf('@');
  const host = parseHost(authority.slice(at + 1));
  if ('error' in host || at < 0) return host;
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) {
    return { error: 'net/url: invalid userinfo' };
  }
  const unescaped = unescape(user, 'user');
  return 'error' in unescaped ? unescaped : host;
}

function parseHost(text: string): { host: string } | { error: string } {
  const bracket = text.lastIndexOf('[');
  if (bracket > 0) return { error: 'invalid IP-literal' };
  if (bracket === 0) return parseBracketed(text);
  // As Go 1.25 has it, with which Kubernetes 1.35 is built: only what follows the last colon counts.
  const colon = text.lastIndexOf(':');
  if (colon >= 0) {
    const port = text.slice(colon);
    if (!isOptionalPort(port)) return { error: `invalid port ${quote(port)} after host` };
  }
  const host = unescape(text, 'host');
  return 'error' in host ? host : { host: host.text };
}

function parseBracketed(text: string): { host: string } | { error: string } {
  const close = text.lastIndexOf(']');
  if (close < 0) return { error: "missing ']' in host" };
  const port = text.slice(close + 1);
  if (!isOptionalPort(port)) return { error: `invalid port ${quote(port)} after host` };
  const name = text.slice(1, close);
  const zoneStart = name.indexOf('%25');
  const address = unescape(zoneStart < 0 ? name : name.slice(0, zoneStart), 'host');
  if ('error' in address) return address;
  const zone = zoneStart < 0 ? { text: '' } : unescape(name.slice(zoneStart), 'zone');
  if ('error' in zone) return zone;
  if (parseIPv6(address.text) === undefined || zone.text === '%') return { error: 'invalid host' };
  return { host: `[${address.text}${zone.text}]${port}` };
}

function isOptionalPort(text: string): boolean {
  return text === '' || /^:[0-9]*$/.test(text);
}

const hostCharacters = /[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"]/;

/** `url.unescape`: checks every escape, and in hosts every character. */
export function unescape(text: string, mode: Mode): { text: string } | { error: string } {
  if (mode === 'path' && !text.includes('%')) return { text };
  const bytes = Buffer.from(text);
  const out: number[] = [];
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    const character = String.fromCharCode(byte);
    if (character === '%') {
      const escape = bytes.subarray(index, index + 3).toString('latin1');
      const value = /^%[0-9a-fA-F]{2}$/.test(escape) ? parseInt(escape.slice(1), 16) : -1;
      if (value < 0 || !isAllowedEscape(escape, value, mode)) {
        return { error: `invalid URL escape "${escape}"` };
      }
      out.push(value);
      index += 2;
    } else if (
      (mode === 'host' || mode === 'zone') &&
      byte < 0x80 &&
      !hostCharacters.test(character)
    ) {
      return { error: `invalid character "${character}" in host name` };
    } else {
      out.push(mode === 'query' && character === '+' ? 0x20 : byte);
    }
  }
  return { text: Buffer.from(out).toString('utf8') };
}

function isAllowedEscape(escape: string, value: number, mode: Mode): boolean {
  if (escape === '%25' || (mode !== 'host' && mode !== 'zone')) return true;
  if (mode === 'host') return value >= 0x80;
  return value === 0x20 || (value < 0x80 && hostCharacters.test(String.fromCharCode(value)));
}
