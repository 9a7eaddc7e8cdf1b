/** Where text stops being JSON, and why. */
import { JsonLexer, kinds, type Kind } from './json-lexer.js';

export interface JsonDefect {
  /** Offset of the token that is wrong; of the end where more is missing. */
  readonly token: number;
  /** Offset of the first character that is wrong; of the end where more is missing. */
  readonly character: number;
  readonly reason: string;
  /** What Go's encoding/json says behind the character: `after array element`. */
  readonly go: string;
  /** Set where Go, which ends its input with a blank, complains about that blank. */
  readonly blankAtEnd?: true;
}

/** What may come next, inside of what is open. */
interface Expectation {
  readonly reason: string;
  readonly go: string;
}
const value = { reason: 'value expected', go: 'looking for beginning of value' };
const key = {
  reason: 'property name expected',
  go: 'looking for beginning of object key string',
};
const colon = { reason: 'colon expected', go: 'after object key' };
const commaInList = { reason: 'comma expected', go: 'after array element' };
const commaInObject = { reason: 'comma expected', go: 'after object key:value pair' };
const nothing = { reason: 'end of file expected', go: 'after top-level value' };

/** The first place where the text is no JSON value, of whatever depth. */
export function findDefect(text: string): JsonDefect | undefined {
  const lexer = new JsonLexer(text);
  const open: Kind[] = [];
  let expected: Expectation = value;
  /** A list or an object has just been opened, and may be closed at once. */
  let mayClose = false;
  const afterValue = (): Expectation => {
    const around = open.at(-1);
    if (around === undefined) return nothing;
    return around === kinds.openList ? commaInList : commaInObject;
  };
  for (;;) {
    const kind = lexer.next();
    const { start, end } = lexer;
    if (kind === kinds.end) {
      if (expected === nothing) return undefined;
      const { reason, go } = expected;
      return { token: start, character: start, reason, go };
    }
    const closed = kind === kinds.closeList ? kinds.openList : kinds.openObject;
    if (isClosing(kind) && open.at(-1) === closed && (mayClose || isComma(expected))) {
      open.pop();
      expected = afterValue();
    } else if (expected === value && isValue(kind)) {
      if (isOpening(kind)) {
        open.push(kind);
        expected = kind === kinds.openList ? value : key;
        mayClose = true;
        continue;
      }
      const defect = tokenDefect(text, kind, lexer);
      if (typeof defect !== 'number') return defect;
      lexer.moveTo(defect);
      expected = afterValue();
    } else if (expected === key && kind === kinds.string) {
      const defect = tokenDefect(text, kind, lexer);
      if (typeof defect !== 'number') return defect;
      expected = colon;
    } else if (expected === colon && kind === kinds.colon) {
      expected = value;
    } else if (isComma(expected) && kind === kinds.comma) {
      expected = expected === commaInList ? value : key;
    } else {
      const { go } = expected;
      const reason = reasonFor(text.slice(start, end), kind) ?? expected.reason;
      return { token: start, character: start, reason, go };
    }
    mayClose = false;
  }
}

function isComma(expected: Expectation): boolean {
  return expected === commaInList || expected === commaInObject;
}

function isOpening(kind: Kind): boolean {
  return kind === kinds.openList || kind === kinds.openObject;
}

function isClosing(kind: Kind): boolean {
  return kind === kinds.closeList || kind === kinds.closeObject;
}

function isValue(kind: Kind): boolean {
  return isOpening(kind) || kind === kinds.string || kind === kinds.number || kind === kinds.word;
}

/** Why a token is wrong wherever it stands. */
function reasonFor(token: string, kind: Kind): string | undefined {
  if (kind === kinds.other) return token === '/' ? 'invalid comment token' : 'invalid symbol';
  return kind === kinds.word && !words.includes(token) ? 'invalid symbol' : undefined;
}

/** Where the token ends, or what is wrong within it. */
function tokenDefect(text: string, kind: Kind, lexer: JsonLexer): JsonDefect | number {
  if (kind === kinds.string) return stringDefect(text, lexer) ?? lexer.end;
  if (kind === kinds.number) return endOfNumber(text, lexer.start);
  return endOfWord(text, lexer.start);
}

const words = ['true', 'false', 'null'];

function endOfWord(text: string, start: number): JsonDefect | number {
  const word = words.find((each) => each[0] === text[start]);
  const reason = 'invalid symbol';
  if (word === undefined) return { token: start, character: start, reason, go: value.go };
  for (let at = 1; at < word.length; at++) {
    if (text[start + at] === word[at]) continue;
    const go = `in literal ${word} (expecting '${word[at]}')`;
    return { token: start, character: start + at, reason, go, blankAtEnd: true };
  }
  return start + word.length;
}

function endOfNumber(text: string, start: number): JsonDefect | number {
  let at = start;
  const digits = (): boolean => {
    const first = at;
    while (/\d/.test(text[at] ?? '')) at++;
    return at > first;
  };
  const defect = (go: string, reason = 'unexpected end of number'): JsonDefect => {
    return { token: start, character: at, reason, go, blankAtEnd: true };
  };
  if (text[at] === '-') at++;
  if (text[at] === '0') at++;
  else if (!digits()) return defect('in numeric literal', 'invalid symbol');
  if (text[at] === '.') {
    at++;
    if (!digits()) return defect('after decimal point in numeric literal');
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

function stringDefect(text: string, { start, end, isInString }: JsonLexer): JsonDefect | undefined {
  const last = isInString ? end : end - 1;
  specialInString.lastIndex = start + 1;
  for (
    let match = specialInString.exec(text);
    match !== null && match.index < last;
    match = specialInString.exec(text)
  ) {
    const at = match.index;
    if (match[0] !== '\\') {
      const go = 'in string literal';
      return { token: start, character: at, reason: 'invalid character', go };
    }
    if (text[at + 1] !== 'u') {
      if (!/["\\/bfnrt]/.test(text[at + 1] ?? '')) {
        const [reason, go] = ['invalid escape character', 'in string escape code'];
        return { token: start, character: at + 1, reason, go, blankAtEnd: true };
      }
      specialInString.lastIndex = at + 2;
      continue;
    }
    const digits = /[0-9A-Fa-f]{0,4}/y;
    digits.lastIndex = at + 2;
    const found = digits.exec(text)?.[0].length ?? 0;
    if (found < 4) {
      const character = at + 2 + found;
      const go = 'in \\u hexadecimal character escape';
      return { token: start, character, reason: 'invalid unicode', go, blankAtEnd: true };
    }
    specialInString.lastIndex = at + 6;
  }
  if (!isInString) return undefined;
  return {
    token: start,
    character: end,
    reason: 'unexpected end of string',
    go: 'in string literal',
  };
}
