import { expect } from 'chai';
import { readAddress, readPrefix } from './network-functions.js';

/** Texts of Go 1.25's net/netip. */
const addresses: readonly (readonly [text: string, reason: string])[] = [
  ['', 'unable to parse IP'],
  ['abc', 'unable to parse IP'],
  ['%eth0', 'missing IPv6 address'],
  ['fe80::1%', 'zone must be a non-empty string'],
  ['1.2.3', 'IPv4 address too short'],
  ['1.2.3.4.5', 'IPv4 address too long'],
  ['1.2.3.04', 'IPv4 field has octet with leading zero'],
  ['1.2.3.256', 'IPv4 field has value >255'],
  ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
  ['1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
  ['v1.2', 'unexpected character (at "v1.2")'],
  ['1::2::3', 'multiple :: in address (at ":3")'],
  ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
  ['1:2:3', 'address string too short'],
  ['12345::', 'each group must have 4 or less digits (at "12345::")'],
  ['1:', 'colon must be followed by more characters (at ":")'],
  ['::g', 'each colon-separated field must have at least one digit (at "g")'],
  ['1:2:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
  ['1:2:3:4:5:6:7::8', 'the :: must expand to at least one field of zeros'],
]; // prettier-ignore

describe('readAddress', () => {
  for (const [text, reason] of addresses) {
    it(JSON.stringify(text), () => {
      expect(readAddress(text)).to.equal(`ParseAddr("${text}"): ${reason}`);
    });
  }

  it('reads addresses of IPv4 and IPv6', () => {
    expect(readAddress('10.0.0.1')).to.deep.equal({ bytes: [10, 0, 0, 1], hasZone: false });
    expect(readAddress('fe80::1%eth0')).to.have.property('hasZone', true);
  });
});

describe('readPrefix', () => {
  it('says why a text is no prefix', () => {
    expect(readPrefix('10.0.0.0')).to.contain("no '/'");
    expect(readPrefix('10.0.0.0/33')).to.contain('prefix length out of range');
    expect(readPrefix('10.0.0.0/08')).to.contain('bad bits after slash: "08"');
    expect(readPrefix('fe80::1%e/64')).to.contain('IPv6 zones cannot be present in a prefix');
    expect(readPrefix('10.0.0/8')).to.contain('ParseAddr("10.0.0"): IPv4 address too short');
  });
});
