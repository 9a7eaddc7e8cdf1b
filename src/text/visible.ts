/** Characters that are escaped, as by Go's `%q`: cursor movements, bidirectional marks and invisible characters. */

/** Marks of direction and what has no width too. Joiners (U+200C, U+200D) stay: whole scripts need them. */
const invisible =
  // eslint-disable-next-line no-control-regex -- these are what is looked for
  /[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]|\p{Surrogate}/gu;

const named: ReadonlyMap<string, string> = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

export function visible(text: string): string {
  return text.replaceAll(invisible, (character) => named.get(character) ?? writtenOut(character));
}

export function visibleLines(text: string): string {
  return text.replaceAll(invisible, (character) =>
    character === '\n' || character === '\t' ? character : visible(character),
  );
}

/** The same for text that is JSON: it means what it meant. */
export function visibleJson(text: string): string {
  return text.replaceAll(invisible, (character) =>
    character === '\n' || character === '\t'
      ? character
      : [...Array(character.length).keys()]
          .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join(''),
  );
}

function writtenOut(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  const hex = point.toString(16);
  if (point < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return point < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
