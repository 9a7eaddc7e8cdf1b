import { expect } from 'chai';
import { base62 } from './group-roles.js';

describe('base62', () => {
  const rows: [rule: string, bytes: number[], text: string][] = [
    ['nothing is zero', [], '0'],
    ['zeros vanish', [0, 0], '0'],
    ['digits run 0-9a-zA-Z', [61], 'Z'],
    ['carries', [62], '10'],
    ['big-endian', [1, 0], '48'],
  ];
  for (const [rule, bytes, text] of rows) {
    it(rule, () => expect(base62(Uint8Array.from(bytes))).to.equal(text));
  }
});
