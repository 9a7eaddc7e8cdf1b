/** Texts as Go orders, trims, quotes and counts them, and base64 as its `StdEncoding` takes it. */

const space = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** `strings.TrimSpace`, whose spaces are not quite JavaScript's. Its time grows with the blanks, not with their square. */
export function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && space.test(text.charAt(start))) start++;
  while (end > start && space.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

/** JavaScript compares UTF-16 units and puts U+FF5E behind an emoji; Go compares bytes of UTF-8. */
export function compareBytes(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) return rank(one) < rank(other) ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}

/** Halves of a surrogate pair stand for code points above every other code unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The order in which Go prints and encodes the keys of a map. */
export function sortedKeys(map: object): string[] {
  return Object.keys(map).sort(compareBytes);
}

/** A sorted copy without repetitions, as Kubernetes lists its sets. */
export function sortedUnique(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareBytes);
}

/** Made when it is needed: V8 takes a millisecond or more to read so many characters. */
let unprintable: RegExp | undefined;

/** Rule: Go's unicode.IsPrint. @returns where the first character is that it does not hold for, -1 if none */
export function indexOfUnprintable(text: string): number {
  if (/^[ -~]*$/.test(text)) return -1;
  unprintable ??= /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;
  return text.search(unprintable);
}

/** Rule: Go's strconv.Quote. A lone surrogate prints as U+FFFD, which is what a JSON decoder makes of it. */
export function quote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) {
    quoted +=
      escaped.get(character) ?? (indexOfUnprintable(character) < 0 ? character : escape(character));
  }
  return `${quoted}"`;
}

function escape(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  if (point >= 0xd800 && point <= 0xdfff) return '\ufffd';
  const hex = point.toString(16);
  if (point < 0x20 || point === 0x7f) return `\\x${hex.padStart(2, '0')}`;
  return point < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** The characters that Go and CEL write as a backslash and a letter. */
const letters = { a: '\u0007', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\\': '\\' };

/** How a character is written between double quotes: a line feed as `\n`. */
export const escaped: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...letters, '"': '"' }).map(([letter, character]) => [character, `\\${letter}`]),
);

/** Meanings of the letter behind a backslash between single quotes. */
export const unescaped: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...letters, "'": "'" }),
);

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
      if (
        (byte >= 0x61 && byte <= 0x7a) ||
        (byte >= 0x41 && byte <= 0x5a) ||
        (byte >= 0x30 && byte <= 0x39) ||
        byte === 0x2b ||
        byte === 0x2f
      ) {
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
