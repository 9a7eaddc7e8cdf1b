/** How Go prints values in the error texts that OLM and Kubernetes show. */

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

// Go's unicode.IsPrint: letters, marks, numbers, punctuation, symbols, and of the blanks only U+0020.
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** The verb `%q` of a string. */
export function goQuoted(text: string): string {
  let quoted = '"';
  for (const character of text) {
    const short = shortEscapes.get(character);
    if (short !== undefined) quoted += short;
    else if (printable.test(character)) quoted += character;
    else quoted += escaped(character.codePointAt(0) ?? 0);
  }
  return `${quoted}"`;
}

function escaped(codePoint: number): string {
  // A lone surrogate reaches Go as the replacement character, which is printable.
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return '\ufffd';
  if (codePoint < 0x80) return `\\x${codePoint.toString(16).padStart(2, '0')}`;
  if (codePoint < 0x10000) return `\\u${codePoint.toString(16).padStart(4, '0')}`;
  return `\\U${codePoint.toString(16).padStart(8, '0')}`;
}

/** The verb `%v` of a list of texts: `[a b]`, without quotes. */
export function goList(texts: readonly string[]): string {
  return `[${texts.join(' ')}]`;
}

const jsonEscapes: ReadonlyMap<string, string> = new Map([
  ['<', '\\u003c'],
  ['>', '\\u003e'],
  ['&', '\\u0026'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
]);

/** Go's `json.Marshal` of a list of texts, where an empty list that was never set is `null`. */
export function goJsonList(texts: readonly string[]): string {
  if (texts.length === 0) return 'null';
  return JSON.stringify(texts).replace(
    /[<>&\u2028\u2029]/g,
    (character) => jsonEscapes.get(character) ?? character,
  );
}
