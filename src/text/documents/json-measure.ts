/** One cheap pass over JSON text, before anything is built from it. */
import { JsonLexer, kinds } from './json-lexer.js';

export interface JsonMeasure {
  /** Deepest nesting of lists and objects. */
  readonly depth: number;
  /** Start and end offsets, in pairs, of number literals that JavaScript would not print back. */
  readonly lossyNumbers: readonly number[];
  /** Where the first value ends; the end of the text when it is cut off. */
  readonly end: number;
}

/**
 * Says how deep one value of JSON text nests and which of its numbers would change by going through
 * `JSON.parse`. Text that is not JSON gets an answer too; parsing reports the error.
 *
 * @param only whether to stop behind the first value
 */
export function measureJson(text: string, from = 0, only: 'all' | 'first' = 'all'): JsonMeasure {
  const lexer = new JsonLexer(text);
  lexer.moveTo(from);
  const lossyNumbers: number[] = [];
  let depth = 0;
  let deepest = 0;
  for (;;) {
    const kind = depth > 0 ? lexer.skim() : lexer.next();
    if (kind === kinds.end) break;
    if (kind === kinds.openObject || kind === kinds.openList) {
      depth++;
      if (depth > deepest) deepest = depth;
      continue;
    }
    if (kind === kinds.closeObject || kind === kinds.closeList) depth--;
    else if (kind === kinds.number) {
      const { start, end } = lexer;
      if (isLossy(text, start, end)) lossyNumbers.push(start, end);
    }
    if (only === 'first' && depth <= 0) break;
  }
  return { depth: deepest, lossyNumbers, end: lexer.end };
}

function isLossy(text: string, start: number, end: number): boolean {
  // Up to 15 plain digits always survive; only the rare rest is worth a slice.
  if (end - start <= 15) {
    let at = start;
    while (at < end && isDigit(text.charCodeAt(at))) at++;
    if (at === end) return false;
  }
  const literal = text.slice(start, end);
  return String(Number(literal)) !== literal;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
