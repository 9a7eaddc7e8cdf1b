/** Text as Go prints and measures it. */

const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const escapes = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** `strconv.Quote`. */
export function quote(text: string): string {
  if (/^[ !#-[\]-~]*$/.test(text)) return `"${text}"`;
  let quoted = '';
  for (const character of text) quoted += quotedCharacter(character);
  return `"${quoted}"`;
}

function quotedCharacter(character: string): string {
  const escape = escapes.get(character);
  if (escape !== undefined) return escape;
  if (printable.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`;
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The number of runes, which is what maxLength and minLength count. */
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
