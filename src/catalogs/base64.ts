/** Base64 as Go's `encoding/base64.StdEncoding` takes it: line breaks are skipped, padding is needed. */

const wellFormed = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Where the text stops being base64, in bytes; undefined when it is fine. Rule: `decodeQuantum`. */
export function corruptBase64(text: string): number | undefined {
  // Lists of groups recurse in some engines: long texts go by their alphabet first.
  if (text.length % 4 === 0 && text.length < 4096 && wellFormed.test(text)) return undefined;
  if (text.length % 4 === 0 && /^[A-Za-z0-9+/]*$/.test(text)) return undefined;
  return firstCorruptByte(Buffer.from(text, 'utf8'));
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
