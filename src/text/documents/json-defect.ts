/** Where text stops being JSON, and why. */
import { isDigit, JsonLexer, kinds, type Kind } from './json-lexer.js';

export interface JsonDefect {
  /** Where the first value ends that could be one, or where the missing part belongs. */
  readonly offset: number;
  readonly reason: string;
  /** The message of Go's encoding/json, and the character that it is about. */
  readonly go: { readonly offset: number; readonly place: string; readonly eof?: 'blank' };
}

/** The expected next token, and its wording: ours, and Go's. */
interface Expectation {
  readonly reason: string;
  readonly place: string;
}
const value = { reason: 'value expected', place: 'looking for beginning of value' };
const key = {
  reason: 'property name expected',
  place: 'looking for beginning of object key string',
};
const colon = { reason: 'colon expected', place: 'after object key' };
const commaInList = { reason: 'comma expected', place: 'after array element' };
const commaInObject = { reason: 'comma expected', place: 'after object key:value pair' };
const nothing = { reason: 'end of file expected', place: 'after top-level value' };

/**
 * The first place at which text stops being JSON, of whatever depth; undefined for JSON. Reads once from
 * left to right, and remembers nothing but the brackets that are open.
 *
 * Source: RFC 8259; Go's encoding/json, `scanner.go`
 */
export function findDefect(text: string): JsonDefect | undefined {
  const lexer = new JsonLexer(text);
  const open: Kind[] = [];
  let expected: Expectation = value;
  let mayClose = false;
  for (;;) {
    const kind = lexer.next();
    if (kind === kinds.end) {
      return expected === nothing ? undefined : tooEarly(text, expected.place);
    }
    const isAwaited =
      expected === value ? isScalar(kind) : expected === key && kind === kinds.string;
    if (isAwaited) {
      const end = endOfScalar(text, kind, lexer, expected === key ? colon : afterValue(open));
      if (typeof end !== 'number') return end;
      lexer.moveTo(end);
      expected = expected === key ? colon : afterValue(open);
      mayClose = false;
    } else if (expected === value && (kind === kinds.openList || kind === kinds.openObject)) {
      open.push(kind);
      expected = kind === kinds.openList ? value : key;
      mayClose = true;
    } else if (open.at(-1) === openedBy(kind) && (mayClose || isComma(expected))) {
      open.pop();
      expected = afterValue(open);
      mayClose = false;
    } else if (expected === colon && kind === kinds.colon) {
      expected = value;
    } else if (isComma(expected) && kind === kinds.comma) {
      expected = expected === commaInList ? value : key;
    } else {
      return wrong(lexer.start, expected);
    }
  }
}

function wrong(offset: number, { reason, place }: Expectation): JsonDefect {
  return { offset, reason, go: { offset, place } };
}

function tooEarly(text: string, place: string): JsonDefect {
  const go = { offset: text.length, place };
  if (text.trim() === '') return { offset: 0, reason: 'the input is empty', go };
  return { offset: text.trimEnd().length, reason: 'the input ends too early', go };
}

function afterValue(open: readonly Kind[]): Expectation {
  const around = open.at(-1);
  if (around === undefined) return nothing;
  return around === kinds.openList ? commaInList : commaInObject;
}

function isComma(expected: Expectation): boolean {
  return expected === commaInList || expected === commaInObject;
}

function openedBy(closing: Kind): Kind | undefined {
  if (closing === kinds.closeList) return kinds.openList;
  return closing === kinds.closeObject ? kinds.openObject : undefined;
}

function isScalar(kind: Kind): boolean {
  return kind === kinds.string || kind === kinds.number || kind === kinds.word;
}

function endOfScalar(
  text: string,
  kind: Kind,
  lexer: JsonLexer,
  next: Expectation,
): number | JsonDefect {
  if (kind === kinds.string) return stringDefect(text, lexer) ?? lexer.end;
  return kind === kinds.number
    ? endOfNumber(text, lexer.start, next)
    : endOfWord(text, lexer.start);
}

function endOfWord(text: string, start: number): number | JsonDefect {
  const word = ['true', 'false', 'null'].find((each) => each[0] === text[start]);
  if (word === undefined) return wrong(start, value);
  for (let at = 1; at < word.length; at++) {
    if (text[start + at] === word[at]) continue;
    const place = `in literal ${word} (expecting '${word[at]}')`;
    const go = { offset: start + at, place, eof: 'blank' } as const;
    return { offset: start, reason: value.reason, go };
  }
  return start + word.length;
}

/** The text behind the longest number is not `next`, where Go still waits for digits. */
function endOfNumber(text: string, start: number, next: Expectation): number | JsonDefect {
  let at = start;
  let complete = start;
  const digits = (): boolean => {
    const first = at;
    while (isDigit(text.charCodeAt(at))) at++;
    return at > first;
  };
  const defect = (place: string): JsonDefect => {
    const { reason } = complete > start ? next : value;
    return { offset: complete, reason, go: { offset: at, place, eof: 'blank' } };
  };
  if (text[at] === '-') at++;
  if (text[at] === '0') at++;
  else if (!digits()) return defect('in numeric literal');
  complete = at;
  if (text[at] === '.') {
    at++;
    if (!digits()) return defect('after decimal point in numeric literal');
    complete = at;
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at++;
    if (text[at] === '+' || text[at] === '-') at++;
    if (!digits()) return defect('in exponent of numeric literal');
  }
  return at;
}

// eslint-disable-next-line no-control-regex -- these are what is looked for
const specialInString = /[\0-\x1f\\]/g;
const escape = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const startOfEscape = /\\(?:u[\dA-Fa-f]{0,3})?/y;

function stringDefect(text: string, { start, end, isInString }: JsonLexer): JsonDefect | undefined {
  // Searched on its own: behind its end there may be much that holds none of these.
  const token = text.slice(start, end);
  specialInString.lastIndex = 0;
  for (
    let match = specialInString.exec(token);
    match !== null;
    match = specialInString.exec(token)
  ) {
    const offset = start + match.index;
    if (match[0] !== '\\') {
      const reason = 'invalid character in a string';
      return { offset, reason, go: { offset, place: 'in string literal' } };
    }
    escape.lastIndex = match.index;
    if (!escape.test(token)) return escapeDefect(text, offset);
    specialInString.lastIndex = escape.lastIndex;
  }
  return isInString ? tooEarly(text, 'in string literal') : undefined;
}

function escapeDefect(text: string, offset: number): JsonDefect {
  startOfEscape.lastIndex = offset;
  startOfEscape.test(text);
  const place =
    text[offset + 1] === 'u' ? 'in \\u hexadecimal character escape' : 'in string escape code';
  const go = { offset: startOfEscape.lastIndex, place, eof: 'blank' } as const;
  return { offset, reason: 'invalid escape character', go };
}
