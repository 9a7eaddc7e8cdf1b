/** RE2's meaning in linear time: natively where both engines agree and cannot backtrack far, else in re2js. */
import type * as Re2 from 're2js';
import { largest } from '../long-lists.js';
import { loadRe2 } from '../platform.js';

let library: typeof Re2 | undefined;

function engine(): typeof Re2.RE2JS {
  library ??= loadRe2();
  return library.RE2JS;
}

export interface Pattern {
  test(text: string): boolean;
}

/** Texts up to this length may go to the native engine: two unbounded repeats are then cheap. */
const nativeLength = 256;
/** In how many ways the native engine may have to try such a text. */
const mostWays = 2 * nativeLength ** 2;
const cacheLimit = 2000;
const cache = new Map<string, Compiled | string>();

interface Compiled extends Pattern {
  readonly native?: RegExp | undefined;
  readonly inRe2: () => Re2.RE2JS;
}

/** The compiled pattern, or Go's text of why it does not compile. */
export function compilePattern(pattern: string): Pattern | string {
  return compiledOf(pattern);
}

function compiledOf(pattern: string): Compiled | string {
  let compiled = cache.get(pattern);
  if (compiled === undefined) {
    compiled = compile(pattern);
    if (cache.size >= cacheLimit) cache.clear();
    cache.set(pattern, compiled);
  }
  return compiled;
}

function compile(pattern: string): Compiled | string {
  const simple = readSimple(pattern);
  if (simple === undefined) {
    const compiled = compileRe2(pattern);
    if (typeof compiled === 'string') return compiled;
    return { test: (text) => compiled.test(text), inRe2: () => compiled };
  }
  // RE2 compiles whatever is simple, so it compiles it when a text comes that needs it.
  let re2: Re2.RE2JS | undefined;
  const inRe2 = (): Re2.RE2JS => (re2 ??= compileRe2(pattern) as Re2.RE2JS);
  const { native } = simple;
  return {
    native,
    inRe2,
    test: (text) =>
      native !== undefined && text.length <= nativeLength ? native.test(text) : inRe2().test(text),
  };
}

function compileRe2(pattern: string): Re2.RE2JS | string {
  try {
    return engine().compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const unnamed = reason.includes('duplicate capture group name')
      ? pattern.replaceAll(groupName, (part) => (part.startsWith('(') ? '(' : part))
      : pattern;
    if (unnamed === pattern) {
      // Go names the whole pattern where it is too much, and nothing where it ends in a backslash.
      const named = reason.includes('expression ') ? pattern : '';
      return reason.includes(': `') ? reason : `${reason}: \`${named}\``;
    }
    const compiled = compileRe2(unnamed);
    return typeof compiled === 'string' ? compiled.replace(`\`${unnamed}\``, () => `\`${pattern}\``) : compiled; // prettier-ignore
  }
}

const groupName = /\\Q[\s\S]*?(?:\\E|$)|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?P?<\w+>/g;

const token =
  /\^|\$|\.|\|\^?|\(\?:|\((?!\?)|\)(?:\?\??)?|[*+?]\??|\{(?:0|[1-9]\d?)(?:,(?:0|[1-9]\d?)?)?\}\??|\[(?!\^\])\^?(?:[^\\[\]]|\\[-\\\]^./dw$*+?|(){}])+\]|\\[\\^$.*+?()[\]{}|/dw-]|[A-Za-z0-9 _@:,;=#%&~'"<>!/-]/y;

/** RE2 repeats nothing more often, whatever is repeated in what. */
const mostRepeats = 1000;

/** Undefined for any other. Native where it is anchored, repeats no group and leaves few ways to try. */
function readSimple(pattern: string): { readonly native: RegExp | undefined } | undefined {
  if (pattern.length > 500) return undefined;
  let source = '';
  let counted = 1;
  const ways = new Ways();
  let isNative = pattern.startsWith('^');
  let last = '';
  for (let index = 0; index < pattern.length;) {
    token.lastIndex = index;
    const found = token.exec(pattern)?.[0];
    if (found === undefined) return undefined;
    index += found.length;
    const isRepeat = /^[*+{]/.test(found);
    if (isRepeat && last === ')?') return undefined;
    if (isRepeat && last.startsWith(')')) isNative = false;
    ways.add(found);
    if (found.startsWith('{')) counted *= largest((found.match(/\d+/g) ?? []).map(Number), 1);
    last = found;
    source += translate(found);
  }
  if (counted > mostRepeats) return undefined;
  try {
    const compiled = new RegExp(source, 'u');
    return { native: isNative && ways.count <= mostWays ? compiled : undefined };
  } catch {
    return undefined;
  }
}

/** In how many ways a backtracking engine may try a text: those of what follows each other multiply. */
class Ways {
  #others = 0;
  #last = 1;
  readonly #outside: (readonly [others: number, last: number])[] = [];

  get count(): number {
    return this.#others + this.#last;
  }

  add(found: string): void {
    if (found.startsWith('(')) {
      this.#outside.push([this.#others, this.#last]);
      [this.#others, this.#last] = [0, 1];
    } else if (found.startsWith(')')) {
      const inside = this.count + (found.endsWith('?') ? 1 : 0);
      const [others, last] = this.#outside.pop() ?? [0, 1];
      [this.#others, this.#last] = [others, last * inside];
    } else if (found.startsWith('|')) {
      const isAnywhere = this.#outside.length === 0 && found === '|';
      [this.#others, this.#last] = [this.count, isAnywhere ? nativeLength : 1];
    }
    if (found.startsWith('?')) this.#last *= 2;
    else if (/^[*+{]/.test(found)) this.#last *= nativeLength;
  }
}

/** Spells a token so that the native engine reads it as RE2 does. */
function translate(found: string): string {
  if (found === '.') return '[^\\n]';
  // The native engine skips a group rather than let it be empty.
  if (found === ')?') return '|)';
  return found === '\\-' ? '-' : found;
}

/** Leftmost, as FindAllString. @param limit negative for all @returns Go's text where it does not compile */
export function findAll(pattern: string, text: string, limit: number): string[] | string {
  const compiled = compiledOf(pattern);
  if (typeof compiled === 'string') return compiled;
  const { native } = compiled;
  // Both engines take the first match from the left, and of that the first way.
  if (limit === 1 && native !== undefined && text.length <= nativeLength)
    return native.exec(text)?.slice(0, 1) ?? [];
  const found: string[] = [];
  const matcher = compiled.inRe2().matcher(text);
  let end = -1;
  while (found.length !== limit && matcher.find()) {
    // An empty match right after another match does not count.
    if (matcher.start() === matcher.end() && matcher.start() === end) continue;
    end = matcher.end();
    found.push(matcher.group() ?? '');
  }
  return found;
}
