/** Errors of Go's `encoding/json` for text that is no JSON. */
import { findDefect } from '../documents/json-defect.js';
import { measureJson } from '../documents/json-measure.js';
import { quote } from './quote.js';

/** Deeper than this encoding/json gives up. */
const maxDepth = 10_000;

/** The text of a `json.SyntaxError`; undefined for JSON. */
export function syntaxError(text: string): string | undefined {
  const go = findDefect(text)?.go;
  if (measureJson(text.slice(0, go?.offset)).depth > maxDepth) return 'exceeded max depth';
  if (go === undefined) return undefined;
  // Go ends its input with a blank, which is what it complains about inside a number or a word.
  if (go.offset >= text.length && go.eof !== 'blank') return 'unexpected end of JSON input';
  // Go looks at bytes: of a character beyond ASCII it names the first byte as if that were one.
  const byte = Buffer.from(String.fromCodePoint(text.codePointAt(go.offset) ?? 0x20))[0] ?? 0;
  return `invalid character ${quoteByte(byte)} ${go.place}`;
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return String.raw`'\''`;
  return byte === 0x22 ? `'"'` : `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
