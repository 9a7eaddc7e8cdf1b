import { expect } from 'chai';
import fc from 'fast-check';
import { anyText } from '../testing/any-text.js';
import { trimSpace } from './text.js';

describe('go: trim space', () => {
  it('takes Go’s blanks from both ends, and no others', () => {
    const blanks = fc.string({ unit: fc.constantFrom(' ', '\t', '\u0085', '\u3000', '\ufeff') });
    fc.assert(
      fc.property(blanks, anyText, blanks, (before, text, behind) => {
        const all = `${before}${text}${behind}`;
        const expected = all
          .replace(/^[\p{Z}\t-\r\u0085]+/u, '')
          .replace(/[\p{Z}\t-\r\u0085]+$/u, '');
        expect(trimSpace(all)).to.equal(expected);
      }),
    );
  });

  it('takes a time that grows with the blanks', () => {
    const blanks = ' '.repeat(1_000_000);
    expect(trimSpace(`a${blanks}b`)).to.have.length(1_000_002);
  });
});
