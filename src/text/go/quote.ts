/** Text in double quotes as Go's `%q` prints it, which the reference libraries use in their messages. */

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
