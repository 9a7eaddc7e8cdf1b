/** Base64 as Go's `encoding/base64.StdEncoding` takes it: line breaks are skipped, padding is needed. */

/** Where the text stops being base64, in bytes; undefined when it is fine. Rule: `decodeQuantum`. */
export function corruptBase64(text: string): number | undefined {
  return isPlain(text) ? undefined : firstCorruptByte(Buffer.from(text, 'utf8'));
}

/** Node's decoder skips what it does not know, so a text of full length holds nothing else. */
function isPlain(text: string): boolean {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return false;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Buffer.from(text, 'base64').length === (text.length / 4) * 3 - padding;
}

/** The decoded bytes; `text` has passed {@link corruptBase64}. */
export function decodeBase64(text: string): Buffer {
  return Buffer.from(text, 'base64');
}

function firstCorruptByte(bytes: Buffer): number | undefined {
  let at = 0;
  const skipBreaks = (): void => {
    while (bytes[at] === 0x0a || bytes[at] === 0x0d) at++;
  };
  for (;;) {
    for (let digit = 0; digit < 4;) {
      if (at === bytes.length) return digit === 0 ? undefined : at - digit;
      const byte = bytes[at++] as number;
      if (byte === 0x0a || byte === 0x0d) continue;
      if (isDigit(byte)) {
        digit++;
        continue;
      }
      if (byte !== 0x3d || digit < 2) return at - 1;
      if (digit === 2) {
        skipBreaks();
        if (at === bytes.length) return at;
        if (bytes[at] !== 0x3d) return at - 1;
        at++;
      }
      skipBreaks();
      return at < bytes.length ? at : undefined;
    }
  }
}

function isDigit(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2b ||
    byte === 0x2f
  );
}

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
