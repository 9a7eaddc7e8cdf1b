import { expect } from 'chai';
import fc from 'fast-check';
import { anyText } from '../testing/any-text.js';
import { compareBytes, sortedKeys, sortedUnique } from './text.js';

describe('go: order', () => {
  it('orders text as the bytes of its UTF-8 stand', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        expect(compareBytes(left, right)).to.equal(
          Buffer.compare(Buffer.from(left), Buffer.from(right)),
        );
      }),
    );
  });

  it('puts an emoji behind every character of the basic plane', () => {
    expect(sortedUnique(['\u{1f600}', '\uff5e', 'a', 'a'])).to.deep.equal([
      'a',
      '\uff5e',
      '\u{1f600}',
    ]);
    expect(sortedKeys({ '\u{1f600}': 1, '\uff5e': 2 })).to.deep.equal(['\uff5e', '\u{1f600}']);
  });
});
