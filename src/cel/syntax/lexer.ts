/** From text to tokens, one at a time: what no token begins with, or breaks off in one, is a mistake. */
import { kinds, type Token } from './tokens.js';

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
