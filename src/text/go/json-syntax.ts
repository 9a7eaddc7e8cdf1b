/** What Go's `encoding/json` says of text that is no JSON. */
import { findDefect } from '../documents/json-defect.js';
import { measureJson } from '../documents/json-measure.js';
import { quote } from './quote.js';

/** Deeper than this encoding/json gives up. */
const maxDepth = 10_000;

/** The text of a `json.SyntaxError`; undefined for JSON. */
export function syntaxError(text: string): string | undefined {
  const defect = findDefect(text);
  if (measureJson(text.slice(0, defect?.character)).depth > maxDepth) return 'exceeded max depth';
  if (defect === undefined) return undefined;
  const { character, go, blankAtEnd } = defect;
  if (character >= text.length && blankAtEnd === undefined) return 'unexpected end of JSON input';
  // Go looks at bytes: of a character beyond ASCII it names the first byte as if that were one.
  const byte = Buffer.from(String.fromCodePoint(text.codePointAt(character) ?? 0x20))[0] ?? 0;
  return `invalid character ${quoteByte(byte)} ${go}`;
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return String.raw`'\''`;
  return byte === 0x22 ? `'"'` : `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
