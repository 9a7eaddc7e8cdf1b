/** One cheap pass over JSON text, before anything is built from it. */
import { isDigit, JsonLexer, kinds } from './json-lexer.js';
import { defaultLimits } from './error.js';

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

/** Lists and objects of a text, each before what is inside it: offsets of bytes. */
export interface JsonParts {
  readonly starts: Int32Array;
  /** -1 for one that does not end. */
  readonly ends: Int32Array;
  /** An earlier one with the same bytes, or -1; nothing is known of what is inside such a one. */
  readonly sameAs: Int32Array;
}

/** In bytes. Smaller parts cost more to be looked for than to be built. */
export const leastPart = 512;

/** Members that may have gone from where two objects go on alike. */
const maxSkipped = 4;
const keyCharacters = 8;
/** Characters that are compared, as a multiple of the text's: who writes the text chooses how deep unlike parts lie in each other. */
const maxCompared = 16;
const colon = 0x3a;
const quote = 0x22;

interface Twin {
  readonly end: number;
  readonly values: number;
}

/**
 * Gathers parts as they open and close. Each is held against the one in its place in what its parent is
 * like, else against the one before it in the same list or object: a review has an object twice, and a
 * definition a version. Guessing wrong costs a comparison. Of equal ones the second is not read again.
 */
class GatheredParts {
  /** Behind so many of them stand small parts that have been forgotten. */
  #count = 0;
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #sameAs: number[] = [];
  /** By part: the first behind all that is inside it. */
  readonly #next: number[] = [];
  readonly #values: number[] = [];
  /** By depth: the open part, and which it may be like; and the last that closed in the part around it. */
  readonly #open: number[] = [];
  readonly #like: number[] = [];
  readonly #last: number[] = [];
  /** By depth: which part the next one may be like, and where those end that it may be like; -1 for none. */
  readonly #candidate: number[] = [];
  readonly #end: number[] = [];
  #left: number;

  constructor(private readonly text: string) {
    this.#left = maxCompared * text.length;
  }

  get parts(): JsonParts {
    const gathered = (all: readonly number[]): Int32Array =>
      Int32Array.from(all.slice(0, this.#count));
    return {
      starts: gathered(this.#starts),
      ends: gathered(this.#ends),
      sameAs: gathered(this.#sameAs),
    };
  }

  /** Finds an equal part that began before: where it ends, and how many values it has. */
  open(depth: number, start: number, values: number): Twin | undefined {
    if (!isGathered(depth)) return undefined;
    const part = this.#count++;
    this.#starts[part] = start;
    this.#ends[part] = -1;
    this.#sameAs[part] = -1;
    this.#values[part] = values;
    const like = this.#likeOf(depth, start);
    if (like >= 0) {
      const from = this.#starts[like] as number;
      const length = (this.#ends[like] as number) - from;
      if (this.#isEqual(from, start, length)) {
        const twin = { end: start + length, values: this.#values[like] as number };
        this.#sameAs[part] = this.#original(like);
        this.#ends[part] = twin.end;
        this.#values[part] = twin.values;
        this.#next[part] = part + 1;
        this.#last[depth] = part;
        this.#pass(depth, like);
        return twin;
      }
    }
    this.#open[depth] = part;
    this.#like[depth] = like;
    this.#last[depth + 1] = -1;
    const known = like < 0 ? -1 : this.#original(like);
    this.#candidate[depth + 1] = known < 0 ? -1 : known + 1;
    this.#end[depth + 1] = known < 0 ? -1 : (this.#ends[known] as number);
    return undefined;
  }

  /** Small parts are forgotten when they end: nothing large is inside them. */
  close(depth: number, end: number, values: number): void {
    const part = isGathered(depth) ? this.#open[depth] : undefined;
    if (part === undefined) return;
    const start = this.#starts[part] as number;
    if (end - start >= leastPart) {
      this.#ends[part] = end;
      this.#values[part] = values - (this.#values[part] as number);
      this.#next[part] = this.#count;
      this.#last[depth] = part;
      this.#pass(depth, this.#like[depth] as number);
    } else {
      this.#count = part;
    }
  }

  #original(part: number): number {
    const same = this.#sameAs[part] as number;
    return same < 0 ? part : same;
  }

  #likeOf(depth: number, start: number): number {
    let candidate = this.#candidate[depth] ?? -1;
    if (candidate < 0) return this.#last[depth] ?? -1;
    const end = this.#end[depth] as number;
    const isMember = this.text.charCodeAt(start - 1) === colon;
    for (let skipped = 0; skipped <= maxSkipped; skipped++) {
      const at = this.#starts[candidate] ?? end;
      if (at >= end) break;
      if (!isMember || this.#hasSameKey(at, start)) {
        this.#candidate[depth] = candidate;
        return candidate;
      }
      candidate = this.#next[candidate] as number;
    }
    return -1;
  }

  /** Only a large part has found the one that it is like. */
  #pass(depth: number, like: number): void {
    if (like >= 0 && this.#candidate[depth] === like)
      this.#candidate[depth] = this.#next[like] as number;
  }

  #hasSameKey(one: number, other: number): boolean {
    const { text } = this;
    // In front of a member stand its key's closing quote and a colon.
    for (let back = 3; back < 3 + keyCharacters; back++) {
      const code = text.charCodeAt(one - back);
      if (code !== text.charCodeAt(other - back)) return false;
      if (code === quote) return true;
    }
    return true;
  }

  #isEqual(from: number, start: number, length: number): boolean {
    const { text } = this;
    const middle = length >> 1;
    if (text.charCodeAt(from + middle) !== text.charCodeAt(start + middle)) return false;
    this.#left -= length;
    return this.#left >= 0 && text.slice(from, from + length) === text.slice(start, start + length);
  }
}

/** Behind more ends than beginnings nothing is JSON, and what is deeper is not read. */
function isGathered(depth: number): boolean {
  return depth > 0 && depth <= defaultLimits.maxDepth;
}
