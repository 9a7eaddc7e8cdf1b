/** Text of any code points but half surrogate pairs. fast-check's own, `unit: 'binary'`, lists all of them first. */
import fc from 'fast-check';

const codePoint = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((each) => String.fromCodePoint(each));
const common = fc.integer({ min: 0, max: 0x2ff }).map((each) => String.fromCodePoint(each));

export const anyText = fc
  .array(fc.oneof(codePoint, common), { maxLength: 12 })
  .map((letters) => letters.join(''));
