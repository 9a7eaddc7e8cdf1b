import { expect } from 'chai';
import { decimalOf } from './numbers.js';

describe('decimalOf', () => {
  const rows: readonly (readonly [string, bigint | undefined])[] = [
    ['0', 0n],
    ['-0', 0n],
    ['+7', 7n],
    ['-0012', -12n],
    ['18446744073709551615', 18446744073709551615n],
    ['-9223372036854775808', -9223372036854775808n],
    ['184467440737095516150', undefined],
    [`${'0'.repeat(1_000)}1`, 1n],
    ['9'.repeat(6_000_000), undefined],
  ];
  for (const [text, value] of rows) {
    it(`${text.length > 30 ? `${text.length} digits` : text}`, () => {
      expect(decimalOf(text)).to.equal(value);
    });
  }
});
