/**
 * From text to tokens, one at a time, and the values of literals. Kinds are bits; operators allowed at the same places
 * share one. Source: cel-go/parser/gen/CEL.g4, cel-go/parser/unescape.go.
 */
import { decimalOf } from '../../text/go/index.js';
import { maxInt, maxUint, minInt, Uint } from '../values.js';

export interface Token {
  readonly kind: number;
  readonly start: number;
  readonly end: number;
}

/** Each kind of token, with its names in the order in which ANTLR lists them. */
const names = {
  end: '<EOF>',
  relation: "'==', '!=', 'in', '<', '<=', '>=', '>'",
  and: "'&&'",
  or: "'||'",
  leftBracket: "'['",
  rightBracket: "']'",
  leftBrace: "'{'",
  rightBrace: "'}'",
  leftParenthesis: "'('",
  rightParenthesis: "')'",
  dot: "'.'",
  comma: "','",
  minus: "'-'",
  not: "'!'",
  question: "'?'",
  colon: "':'",
  plus: "'+'",
  times: "'*', '/', '%'",
  boolean: "'true', 'false'",
  null: "'null'",
  double: 'NUM_FLOAT',
  int: 'NUM_INT',
  uint: 'NUM_UINT',
  string: 'STRING',
  bytes: 'BYTES',
  identifier: 'IDENTIFIER',
  quotedIdentifier: 'ESC_IDENTIFIER',
};

export const kinds = Object.fromEntries(
  Object.keys(names).map((name, bit) => [name, 1 << bit]),
) as Readonly<Record<keyof typeof names, number>>;

/** Not a token: what follows may also be what follows the rule around. */
export const orAfter = 1 << 30;

export const signedNumber = kinds.int | kinds.double;
export const literal =
  signedNumber | kinds.uint | kinds.string | kinds.bytes | kinds.boolean | kinds.null;
export const firstOfPrimary =
  literal |
  kinds.leftBracket |
  kinds.leftBrace |
  kinds.leftParenthesis |
  kinds.dot |
  kinds.minus |
  kinds.identifier;
export const firstOfExpression = firstOfPrimary | kinds.not;
export const binaryOperator =
  kinds.relation | kinds.and | kinds.or | kinds.plus | kinds.minus | kinds.times;

/** How ANTLR writes what it expects. */
export function expectation(set: number): string {
  const listed = Object.values(names).filter((_, bit) => (set & (1 << bit)) !== 0);
  return listed.length === 1 ? (listed[0] as string) : `{${listed.join(', ')}}`;
}

const space = /[\t\n\f\r ]+|\/\/[^\n]*/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const double = /(?:\d+\.\d+|\d+(?=[eE][+-]?\d)|\.\d+)(?:[eE][+-]?\d+)?/y;
const integer = /(?:0x[0-9a-fA-F]+|\d+)[uU]?/y;
const quotedName = /`[A-Za-z0-9_./ -]+`/y;

const escape = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const strings = new Map(
  ['"', "'"].map((quote) => [
    quote,
    {
      plain: new RegExp(`${quote}(?:${escape}|[^\\\\${quote}\\n\\r])*${quote}`, 'y'),
      long: new RegExp(`${quote}{3}(?:${escape}|[^\\\\])*?${quote}{3}`, 'y'),
      raw: new RegExp(`${quote}[^${quote}\\n\\r]*${quote}`, 'y'),
      rawLong: new RegExp(`${quote}{3}[^]*?${quote}{3}`, 'y'),
    },
  ]),
);
/** As much of a string as is one, and the character at which it no longer is; likewise below. */
const brokenString = new Map(
  ['"', "'"].map((quote) => [
    quote,
    new RegExp(
      `${quote}(?:${escape}|[^\\\\${quote}\\n\\r])*(?:\\\\(?:[0-3][0-7]?|[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?)?[^]?`,
      'uy',
    ),
  ]),
);
const brokenName = /`[A-Za-z0-9_./ -]*[^]?/uy;
const brokenOther = /[=&|][^]?|[^]/uy;

const words = new Map([
  ['in', kinds.relation],
  ['true', kinds.boolean],
  ['false', kinds.boolean],
  ['null', kinds.null],
]);

const signs = new Map([
  ['(', kinds.leftParenthesis],
  [')', kinds.rightParenthesis],
  ['[', kinds.leftBracket],
  [']', kinds.rightBracket],
  ['{', kinds.leftBrace],
  ['}', kinds.rightBrace],
  ['.', kinds.dot],
  [',', kinds.comma],
  ['-', kinds.minus],
  ['+', kinds.plus],
  ['*', kinds.times],
  ['/', kinds.times],
  ['%', kinds.times],
  ['?', kinds.question],
  [':', kinds.colon],
  ['!', kinds.not],
  ['<', kinds.relation],
  ['>', kinds.relation],
]);

const doubleSigns = new Map([
  ['==', kinds.relation],
  ['!=', kinds.relation],
  ['<=', kinds.relation],
  ['>=', kinds.relation],
  ['&&', kinds.and],
  ['||', kinds.or],
]);

export class Lexer {
  private position = 0;
  /** Ranges of the text that were skipped because they are no tokens. */
  readonly skipped: { readonly start: number; readonly end: number }[] = [];

  constructor(
    private readonly text: string,
    private readonly onMistake: (message: string, position: number) => void,
  ) {}

  /** The next token; past the end always the end. */
  next(): Token {
    for (;;) {
      while (this.take(space) > 0);
      const start = this.position;
      if (start >= this.text.length) return { kind: kinds.end, start, end: start };
      const kind = this.read(this.text[start] as string);
      if (kind !== undefined) return { kind, start, end: this.position };
      this.skip();
    }
  }

  /** How many units match here; they are taken. */
  private take(pattern: RegExp): number {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return 0;
    const length = pattern.lastIndex - this.position;
    this.position = pattern.lastIndex;
    return length;
  }

  private read(first: string): number | undefined {
    if (/[A-Za-z_]/.test(first)) return this.readWord();
    if (first >= '0' && first <= '9') return this.readNumber();
    if (first === '"' || first === "'") return this.readString(first, 0, false);
    if (first === '.' && this.take(double) > 0) return kinds.double;
    if (first === '`') return this.take(quotedName) > 0 ? kinds.quotedIdentifier : undefined;
    const pair = doubleSigns.get(this.text.slice(this.position, this.position + 2));
    const kind = pair ?? signs.get(first);
    if (kind !== undefined) this.position += pair === undefined ? 1 : 2;
    return kind;
  }

  private readWord(): number {
    const start = this.position;
    this.take(name);
    const word = this.text.slice(start, this.position);
    const quote = this.text[this.position];
    if ((quote === '"' || quote === "'") && /^(?:[bB]|[bB]?[rR])$/.test(word)) {
      const after = this.position;
      this.position = start;
      const kind = this.readString(quote, word.length, /[rR]$/.test(word));
      if (kind !== undefined)
        return kind === kinds.string && /^[bB]/.test(word) ? kinds.bytes : kind;
      this.position = after;
    }
    return words.get(word) ?? kinds.identifier;
  }

  private readNumber(): number {
    if (this.take(double) > 0) return kinds.double;
    this.take(integer);
    return /[uU]/.test(this.text[this.position - 1] as string) ? kinds.uint : kinds.int;
  }

  private readString(quote: string, prefix: number, isRaw: boolean): number | undefined {
    const start = this.position;
    const forms = strings.get(quote);
    this.position += prefix;
    const taken =
      forms !== undefined &&
      (this.take(isRaw ? forms.rawLong : forms.long) > 0 ||
        this.take(isRaw ? forms.raw : forms.plain) > 0);
    if (taken) return kinds.string;
    this.position = start;
    return undefined;
  }

  private skip(): void {
    const start = this.position;
    const first = this.text[start] as string;
    this.take(brokenString.get(first) ?? (first === '`' ? brokenName : brokenOther));
    this.skipped.push({ start, end: this.position });
    const found = this.text.slice(start, this.position);
    this.onMistake(`token recognition error at: '${found}'`, start);
  }
}

/**
 * A mistake in what could be read: a literal without a value, a macro with wrong arguments; or, without a position, one that
 * ends parsing, whose message is empty where a reported mistake says why.
 */
export class Fault extends Error {
  constructor(
    message: string,
    readonly position?: number,
  ) {
    super(message);
  }
}

/** @throws Fault past 64 bits */
export function intOf(text: string): bigint {
  const isNegative = text.startsWith('-');
  const size = sizeOf(isNegative ? text.slice(1) : text);
  const value = size !== undefined && isNegative ? -size : size;
  if (value === undefined || value > maxInt || value < minInt) {
    throw new Fault('invalid int literal');
  }
  return value;
}

/** @throws Fault past 64 bits */
export function uintOf(text: string): Uint {
  const value = sizeOf(text.slice(0, -1));
  if (value === undefined || value > maxUint) throw new Fault('invalid uint literal');
  return new Uint(value);
}

/** Undefined, or too large, past 64 bits. */
function sizeOf(digits: string): bigint | undefined {
  return digits.startsWith('0x') ? BigInt(digits) : decimalOf(digits);
}

/** @throws Fault past what a double holds */
export function doubleOf(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value)) throw new Fault('invalid double literal');
  return value;
}

const simpleEscapes = new Map([
  ['a', 7],
  ['b', 8],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
  ['v', 11],
]);

/** @throws Fault for an escape that is no character */
export function stringOf(text: string): string {
  return unquoted(text, (escape) => {
    const code = codeOf(escape);
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
      throw new Fault('invalid unicode code point');
    }
    return String.fromCodePoint(code);
  });
}

/** Escapes stand for bytes, other characters for their UTF-8. @throws Fault */
export function bytesOf(text: string): Uint8Array {
  const bytes: number[] = [];
  const plain = unquoted(text.slice(1), (escape) => {
    if (/^\\[uU]/.test(escape)) throw new Fault('unable to unescape string');
    // No character of UTF-8: stands for the byte until all is put together.
    bytes.push(codeOf(escape));
    return '\ud800';
  });
  let next = 0;
  return new Uint8Array(
    Buffer.concat(
      plain
        .split('\ud800')
        .flatMap((part, index) => [
          ...(index === 0 ? [] : [Buffer.from([bytes[next++] as number])]),
          Buffer.from(part),
        ]),
    ),
  );
}

function unquoted(text: string, unescape: (escape: string) => string): string {
  const isRaw = /^[rR]/.test(text);
  const quoted = (isRaw ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n');
  const width = /^(?:"""|''')/.test(quoted) && quoted.length >= 6 ? 3 : 1;
  const inner = quoted.slice(width, -width);
  return isRaw ? inner : inner.replaceAll(/\\(?:[xX].{2}|u.{4}|U.{8}|[0-3]..|[^])/g, unescape);
}

function codeOf(escape: string): number {
  const first = escape[1] as string;
  if (/[xXuU]/.test(first)) return Number.parseInt(escape.slice(2), 16);
  if (/[0-3]/.test(first)) return Number.parseInt(escape.slice(1), 8);
  return simpleEscapes.get(first) ?? first.charCodeAt(0);
}
