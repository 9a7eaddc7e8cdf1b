/** Whose an address is: one machine has one of IPv4, and of IPv6 as many as a /64 network has. */
import { isIPv6 } from 'node:net';

/** The address itself of IPv4, the first four groups of IPv6. */
export function networkOf(address: string): string {
  const [plain = '', ipv4] = /^(?:::ffff:(?=\d+\.)(\S+)|[^%]*)/i.exec(address) ?? [];
  if (ipv4 !== undefined || !isIPv6(plain)) return ipv4 ?? plain;
  const [before = [], after = []] = plain
    .split('::')
    .map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
