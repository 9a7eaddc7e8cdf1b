/**
 * The tokens of JSON text, one after another: the only place that tells JSON apart character by
 * character. It says where tokens begin and end; whether they are right is for who asks
 * ({@link tokenDefect}), so that text which is no JSON can be cut and measured too.
 */

/** Kinds of tokens; brackets, commas and colons are their own character's code. */
export const kinds = {
  end: -1,
  /** A character that begins no token. */
  other: 0,
  /** Letters, as in `true`. */
  word: 1,
  number: 2,
  string: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openList: 0x5b,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
} as const;

export type Kind = (typeof kinds)[keyof typeof kinds];

const quote = 0x22;
const newline = 0x0a;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const minus = 0x2d;
/** Most strings end within a few characters; long ones are left to the engine's own search. */
const shortString = 8;

/** Bytes of UTF-8 are given as latin1: JSON is recognised by ASCII alone, and the engine reads that fastest. */
export class JsonLexer {
  /** The token that was read last: offsets into the text, or into the last piece of it. */
  start = 0;
  end = 0;
  /** Lines begun between tokens; a string's own line breaks are none in JSON. */
  line = 1;
  /** How many were passed over by {@link skim}. */
  commas = 0;
  /** The last piece ended inside a string; behind a backslash that stands for itself? */
  private open: 'no' | 'string' | 'escape' = 'no';

  constructor(private text = '') {}

  /** Goes on with the next piece. A string that lies across pieces is a token of each. */
  feed(text: string): void {
    this.text = text;
    this.end = 0;
  }

  /** Whether the text so far ends inside a string. */
  get isInString(): boolean {
    return this.open !== 'no';
  }

  /** Goes on from another place of the text, outside of strings. */
  moveTo(offset: number): void {
    this.end = offset;
    this.open = 'no';
  }

  next(): Kind {
    if (this.open !== 'no') return this.restOfString();
    const { text } = this;
    let at = this.end;
    let code = text.charCodeAt(at);
    while (isBlank(code)) {
      if (code === newline) this.line++;
      code = text.charCodeAt(++at);
    }
    return this.token(at, code);
  }

  /** The next bracket or number: all that matters to who cuts text, or measures it. */
  skim(): Kind {
    const { text } = this;
    let at = this.end;
    if (this.open !== 'no') {
      if (this.restOfString() === kinds.end) return kinds.end;
      at = this.end;
    }
    let commas = 0;
    for (;;) {
      let code = text.charCodeAt(at);
      while (isBlank(code) || code === comma || code === colon) {
        if (code === comma) commas++;
        else if (code === newline) this.line++;
        code = text.charCodeAt(++at);
      }
      if (code === quote) {
        at = this.endOfString(at + 1);
      } else if (isBracket(code)) {
        this.commas += commas;
        this.start = at;
        this.end = at + 1;
        return code as Kind;
      } else if (code <= 0x39 && (code >= 0x30 || code === minus)) {
        this.commas += commas;
        this.start = at;
        this.end = endOfNumber(text, at + 1);
        return kinds.number;
      } else if (at >= text.length) {
        this.commas += commas;
        this.start = this.end = text.length;
        return kinds.end;
      } else {
        at++;
      }
    }
  }

  private token(at: number, code: number): Kind {
    this.start = at;
    if (code === kinds.string) {
      this.end = this.endOfString(at + 1);
      return kinds.string;
    }
    if (isBracket(code) || code === kinds.comma || code === kinds.colon) {
      this.end = at + 1;
      return code as Kind;
    }
    if (code <= 0x39 && (code >= 0x30 || code === minus)) {
      this.end = endOfNumber(this.text, at + 1);
      return kinds.number;
    }
    return this.rare(code);
  }

  private rare(code: number): Kind {
    let at = this.start;
    const { text } = this;
    if (isLetter(code)) {
      do at++;
      while (isLetter(text.charCodeAt(at)));
      this.end = at;
      return kinds.word;
    }
    const isEnd = at >= text.length;
    this.end = isEnd ? at : at + 1;
    return isEnd ? kinds.end : kinds.other;
  }

  private restOfString(): Kind {
    // At the end of a piece the string goes on in the next one.
    if (this.end > 0 || this.text === '') return kinds.end;
    this.start = 0;
    const from = this.open === 'escape' ? 1 : 0;
    this.open = 'no';
    this.end = this.endOfString(from);
    return kinds.string;
  }

  /** Behind the closing quote; at the end of a text that has none, `open` says so. */
  private endOfString(from: number): number {
    const { text } = this;
    const { length } = text;
    let at = from;
    const near = Math.min(from + shortString, length);
    for (; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code === kinds.string) return at + 1;
      if (code === backslash) at++;
    }
    while (at < length) {
      const quote = text.indexOf('"', at);
      if (quote < 0) break;
      let before = quote - 1;
      while (before >= at && text.charCodeAt(before) === backslash) before--;
      at = quote + 1;
      // Behind an even number of backslashes the quote stands for itself.
      if ((quote - before) % 2 === 1) return at;
    }
    this.open = at > length || endsInEscape(text, at) ? 'escape' : 'string';
    return length;
  }
}

function endsInEscape(text: string, from: number): boolean {
  let before = text.length - 1;
  while (before >= from && text.charCodeAt(before) === backslash) before--;
  return (text.length - before) % 2 === 0;
}

function endOfNumber(text: string, from: number): number {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at);
    const isPart =
      isDigit(code) ||
      code === 0x2e ||
      code === 0x65 ||
      code === 0x45 ||
      code === 0x2b ||
      code === minus;
    if (!isPart) return at;
  }
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === newline || code === 0x0d || code === 0x09;
}

/** `[` and `{`, `]` and `}` differ in one bit. */
function isBracket(code: number): boolean {
  return (code | 0x20) === 0x7b || (code | 0x20) === 0x7d;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}
