/** Orders text by its UTF-8 bytes, as Go sorts strings; JavaScript sorts by UTF-16 code units. */
export function byBytes(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  for (let at = 0; at < a.length && at < b.length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left === right) continue;
    // Surrogates stand for code points above every other code unit.
    const isHigh = left >= 0xd800 && left <= 0xdfff;
    if (isHigh !== (right >= 0xd800 && right <= 0xdfff)) return isHigh ? 1 : -1;
    return left < right ? -1 : 1;
  }
  return a.length < b.length ? -1 : 1;
}
