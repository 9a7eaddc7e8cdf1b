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
