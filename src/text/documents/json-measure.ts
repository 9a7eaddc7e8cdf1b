/** One cheap pass over JSON text, before anything is built from it. */
import { GatheredParts, type JsonParts } from './gathered-parts.js';
import { isDigit, JsonLexer, kinds } from './json-lexer.js';

export interface JsonMeasure {
  readonly depth: number;
  /** As {@link Limits.maxValues} counts them. */
  readonly values: number;
  /** Start and end offsets, in pairs, of number literals that JavaScript would not print back. */
  readonly lossyNumbers: readonly number[];
  /** Where the first value ends; the end of the text when it is cut off. */
  readonly end: number;
  /** Where they were asked for: those of some size. */
  readonly parts?: JsonParts;
}

export interface MeasureOptions {
  /** Past them nothing more is looked at. */
  readonly maxValues?: number;
  readonly from?: number;
  readonly first?: boolean;
  readonly parts?: boolean;
}

/** The weight of a number that keeps its text, in values. */
const keptNumber = 5;

/** Text that is not JSON gets an answer too; parsing reports the error. */
export function measureJson(
  text: string,
  { maxValues = Infinity, from = 0, first = false, parts = false }: MeasureOptions = {},
): JsonMeasure {
  const lexer = new JsonLexer(text);
  lexer.moveTo(from);
  const lossyNumbers: number[] = [];
  let values = 1;
  let depth = 0;
  let deepest = 0;
  const gathered = parts ? new GatheredParts(text) : undefined;
  while (values + lexer.commas <= maxValues) {
    const kind = depth > 0 ? lexer.skim() : lexer.next();
    if (kind === kinds.end) break;
    if (kind === kinds.openObject || kind === kinds.openList) {
      const twin = gathered?.open(depth + 1, lexer.start, values + lexer.commas);
      if (twin !== undefined) {
        values += twin.values;
        lexer.moveTo(twin.end);
        continue;
      }
      values++;
      depth++;
      if (depth > deepest) deepest = depth;
      continue;
    }
    if (kind === kinds.closeObject || kind === kinds.closeList) {
      gathered?.close(depth, lexer.end, values + lexer.commas);
      depth--;
    } else if (kind === kinds.number) {
      const { start, end } = lexer;
      if (isLossy(text, start, end)) {
        lossyNumbers.push(start, end);
        values += keptNumber - 1;
      }
    } else if (kind === kinds.comma) values++;
    if (first && depth <= 0) break;
  }
  const measure = { depth: deepest, values: values + lexer.commas, lossyNumbers, end: lexer.end };
  return gathered === undefined ? measure : { ...measure, parts: gathered.parts };
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
