/** URLs, IP addresses and CIDRs: Kubernetes' CEL libraries. */
import {
  parseIPv4,
  parseIPv6,
  parseRequestURI,
  unescape,
  type ParsedURL,
} from '../../text/formats/network.js';
import { quote } from '../../text/go/index.js';
import { attempt, listOf, ValueMap } from '../collections.js';
import { EvaluationError, noSuchOverload, Opaque, type CelValue } from '../values.js';
import { declare, type CelFunction } from '../overloads.js';

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

class Url extends Opaque {
  override readonly typeName = 'kubernetes.URL';
  override readonly hash = this;
  constructor(
    readonly parsed: ParsedURL,
    private readonly text: string,
  ) {
    super();
  }

  /** As Go writes it again: only the scheme is another one, in lower case. */
  private get canonical(): string {
    const { scheme } = this.parsed;
    return scheme + this.text.slice(scheme.length);
  }

  override get goData(): string {
    return `(*url.URL)${this.canonical}`;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof Url)) throw noSuchOverload();
    return other.canonical === this.canonical;
  }
}

class Address extends Opaque {
  override readonly typeName = 'net.IP';
  constructor(readonly bytes: readonly number[]) {
    super();
  }

  override get goData(): string {
    return `(netip.Addr)${addressText(this.bytes)}`;
  }

  override get hash(): string {
    return `\0i${this.bytes.join()}`;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof Address)) throw noSuchOverload();
    return sameBytes(other.bytes, this.bytes);
  }
}

class Network extends Opaque {
  override readonly typeName = 'net.CIDR';
  constructor(
    readonly bytes: readonly number[],
    readonly bits: number,
  ) {
    super();
  }

  override get goData(): string {
    return `(netip.Prefix)${addressText(this.bytes)}/${this.bits}`;
  }

  override get hash(): string {
    return `\0c${this.bytes.join()}/${this.bits}`;
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof Network)) throw noSuchOverload();
    return other.bits === this.bits && sameBytes(other.bytes, this.bytes);
  }
}

function sameBytes(left: readonly number[], right: readonly number[]): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

/** A fragment is not part of a request's URI: it is cut off before path and query are read. */
function toUrl(text: string): Url {
  const whole = parseRequestURI(text);
  const parsed = typeof whole === 'string' ? whole : parseRequestURI(text.replace(/#.*$/s, ''));
  if (typeof parsed === 'string') {
    throw new EvaluationError(
      `URL parse error during conversion from string: parse ${quote(text)}: ${parsed}`,
    );
  }
  return new Url(parsed, text);
}

function portAt(host: string): number {
  const colon = host.lastIndexOf(':');
  return colon >= 0 && /^:\d*$/.test(host.slice(colon)) ? colon : host.length;
}

function hostName(host: string): string {
  const name = host.slice(0, portAt(host));
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

function query(raw: string): ValueMap {
  const values = new Map<string, string[]>();
  for (const pair of raw.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescape(equals < 0 ? pair : pair.slice(0, equals), 'query');
    const value = unescape(equals < 0 ? '' : pair.slice(equals + 1), 'query');
    if ('error' in key || 'error' in value) continue;
    values.set(key.text, [...(values.get(key.text) ?? []), value.text]);
  }
  return new ValueMap([...values].map(([key, items]) => [key, listOf(items)] as const));
}

/** @throws EvaluationError for text that is no address, a mapped one, or one with a zone */
function toAddress(text: string): Address {
  const read = readAddress(text);
  if (typeof read === 'string') {
    throw new EvaluationError(
      `IP Address ${quote(text)} parse error during conversion from string: ${read}`,
    );
  }
  if (read.hasZone) {
    throw new EvaluationError(`IP address ${quote(text)} with zone value is not allowed`);
  }
  if (isMapped(read.bytes)) {
    throw new EvaluationError(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  }
  return new Address(read.bytes);
}

function isMapped(bytes: readonly number[]): boolean {
  return (
    bytes.length === 16 &&
    bytes.slice(0, 10).every((byte) => byte === 0) &&
    bytes[10] === 255 &&
    bytes[11] === 255
  );
}

/** @throws EvaluationError */
function toNetwork(text: string): Network {
  const context = 'network address parse error during conversion from string';
  const read = readPrefix(text);
  if (typeof read === 'string') throw new EvaluationError(`${context}: ${context}: ${read}`);
  if (isMapped(read.bytes)) {
    throw new EvaluationError(`${context}: IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  }
  return new Network(read.bytes, read.bits);
}

function succeeds(run: () => CelValue): boolean {
  return !(attempt(run) instanceof EvaluationError);
}

function masked(bytes: readonly number[], bits: number): number[] {
  return bytes.map((byte, index) => {
    const kept = Math.max(0, Math.min(8, bits - index * 8));
    return byte & (0xff << (8 - kept)) & 0xff;
  });
}

function contains(network: Network, bytes: readonly number[]): boolean {
  return (
    bytes.length === network.bytes.length &&
    sameBytes(masked(bytes, network.bits), masked(network.bytes, network.bits))
  );
}

function addressText(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from(
    { length: 8 },
    (_, index) => ((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0),
  );
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}

const all = (bytes: readonly number[], value: number): boolean =>
  bytes.every((byte) => byte === value);

function isLoopback(bytes: readonly number[]): boolean {
  return bytes.length === 4 ? bytes[0] === 127 : all(bytes.slice(0, 15), 0) && bytes[15] === 1;
}

function isLinkLocalUnicast(bytes: readonly number[]): boolean {
  if (bytes.length === 4) return bytes[0] === 169 && bytes[1] === 254;
  return bytes[0] === 0xfe && ((bytes[1] ?? 0) & 0xc0) === 0x80;
}

function isGlobalUnicast(bytes: readonly number[]): boolean {
  const multicast = bytes.length === 4 ? ((bytes[0] ?? 0) & 0xf0) === 0xe0 : bytes[0] === 0xff;
  const broadcast = bytes.length === 4 && all(bytes, 255);
  return (
    !broadcast && !all(bytes, 0) && !isLoopback(bytes) && !multicast && !isLinkLocalUnicast(bytes)
  );
}

export const urlFunctions: readonly CelFunction[] = declare({
  'string_to_url url(string) kubernetes.URL': toUrl,
  'is_url_string isURL(string) bool': (text: string) => succeeds(() => toUrl(text)),
  'url_get_scheme kubernetes.URL:getScheme() string': ({ parsed }: Url) => parsed.scheme,
  'url_get_host kubernetes.URL:getHost() string': ({ parsed }: Url) => parsed.host,
  'url_get_hostname kubernetes.URL:getHostname() string': ({ parsed }: Url) =>
    hostName(parsed.host),
  'url_get_port kubernetes.URL:getPort() string': ({ parsed: { host } }: Url) =>
    host.slice(portAt(host) + 1),
  'url_get_escaped_path kubernetes.URL:getEscapedPath() string': ({ parsed }: Url) =>
    /^[A-Za-z0-9\-._~!$&'()*+,;=:@/[\]%]*$/.test(parsed.rawPath)
      ? parsed.rawPath
      : encodeURI(parsed.path).replaceAll(
          /[#?]/g,
          (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
        ),
  'url_get_query kubernetes.URL:getQuery() map(string, list(string))': ({ parsed }: Url) =>
    query(parsed.rawQuery),
});

export const networkFunctions: readonly CelFunction[] = declare({
  'string_to_ip ip(string) net.IP': toAddress,
  'is_ip isIP(string) bool': (text: string) => succeeds(() => toAddress(text)),
  'ip_is_canonical ip.isCanonical(string) bool': (text: string) =>
    addressText(toAddress(text).bytes) === text,
  'ip_to_string string(net.IP) string': ({ bytes }: Address) => addressText(bytes),
  'ip_family net.IP:family() int': ({ bytes }: Address) => (bytes.length === 4 ? 4n : 6n),
  'ip_is_unspecified net.IP:isUnspecified() bool': ({ bytes }: Address) => all(bytes, 0),
  'ip_is_loopback net.IP:isLoopback() bool': ({ bytes }: Address) => isLoopback(bytes),
  'ip_is_link_local_multicast net.IP:isLinkLocalMulticast() bool': ({ bytes }: Address) =>
    bytes.length === 4
      ? bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
      : bytes[0] === 0xff && ((bytes[1] ?? 0) & 0x0f) === 2,
  'ip_is_link_local_unicast net.IP:isLinkLocalUnicast() bool': ({ bytes }: Address) =>
    isLinkLocalUnicast(bytes),
  'ip_is_global_unicast net.IP:isGlobalUnicast() bool': ({ bytes }: Address) =>
    isGlobalUnicast(bytes),
  'string_to_cidr cidr(string) net.CIDR': toNetwork,
  'is_cidr isCIDR(string) bool': (text: string) => succeeds(() => toNetwork(text)),
  'cidr_to_string string(net.CIDR) string': ({ bytes, bits }: Network) =>
    `${addressText(bytes)}/${bits}`,
  'cidr_contains_ip_string net.CIDR:containsIP(string) bool': (network: Network, text: string) => {
    // The error does not say why the text is no address.
    const inner = attempt(() => toAddress(text));
    if (inner instanceof EvaluationError) throw noSuchOverload();
    return contains(network, inner.bytes);
  },
  'cidr_contains_ip_ip net.CIDR:containsIP(net.IP) bool': (network: Network, inner: Address) =>
    contains(network, inner.bytes),
  'cidr_contains_cidr_string net.CIDR:containsCIDR(string) bool': (outer: Network, text: string) =>
    containsNetwork(outer, toNetwork(text)),
  'cidr_contains_cidr net.CIDR:containsCIDR(net.CIDR) bool': containsNetwork,
  'cidr_ip net.CIDR:ip() net.IP': ({ bytes }: Network) => new Address(bytes),
  'cidr_prefix_length net.CIDR:prefixLength() int': ({ bits }: Network) => BigInt(bits),
  'cidr_masked net.CIDR:masked() net.CIDR': ({ bytes, bits }: Network) =>
    new Network(masked(bytes, bits), bits),
});

function containsNetwork(outer: Network, inner: Network): boolean {
  return outer.bits <= inner.bits && contains(outer, inner.bytes);
}
