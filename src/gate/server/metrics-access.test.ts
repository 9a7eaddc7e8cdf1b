import { expect } from 'chai';
import { mayBeGood } from './metrics-access.js';

const now = Date.parse('2030-01-01');
const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown): string => `${part({ alg: 'RS256' })}.${part(claims)}.c2lnbg`;

describe('a token is asked about', () => {
  const rows: [what: string, token: string, isAsked: boolean][] = [
    ['without form', 'opaque', true],
    ['with dots', 'a.b.c', true],
    ['of another issuer', jwt({ iss: 'https://other.example.com' }), true],
    ['still good', jwt({ exp: now / 1000 + 1 }), true],
    ['as far beyond its end as clocks differ', jwt({ exp: now / 1000 - 59 }), true],
    ['expired', jwt({ exp: now / 1000 - 61 }), false],
    ['expired, and encrypted', `${jwt({ exp: 1 })}.a.b`, true],
    ['with claims that cannot be read', jwt('no JSON'), false],
    ['with claims that are no object', jwt([1]), false],
    ['of 8 KiB', 'a'.repeat(8192), true],
    ['longer than that', 'a'.repeat(8193), false],
  ];
  for (const [what, token, isAsked] of rows) {
    it(`${isAsked ? 'if' : 'not if'} it is ${what}`, () => {
      expect(mayBeGood(token, now)).to.equal(isAsked);
    });
  }
});
