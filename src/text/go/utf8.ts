/** How Go measures strings. */

/** Go's `utf8.RuneCountInString`, which is what maxLength and minLength count. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      count--;
      index++;
    }
  }
  return count;
}

/** Go's `len` of a string: bytes of UTF-8. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text);
}
