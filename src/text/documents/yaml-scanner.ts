/**
 * The tokens of a YAML 1.1 text, as kubectl's parser cuts them: go.yaml.in/yaml/v2 `scannerc.go`, function
 * by function, for what it takes and refuses is what it does, not what a specification says.
 */
import { InvalidInputError } from './error.js';

export type TokenKind =
  | 'stream-end'
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface Token {
  readonly kind: TokenKind;
  /** Indexes into the text: its first character, and the one behind its last. */
  readonly start: number;
  readonly end: number;
  /** The text of a scalar, the name of an anchor, the handle of a tag, or a version. */
  readonly value: string;
  /** Behind the handle of a tag. */
  readonly suffix: string;
  /** A scalar without quotes, neither literal nor folded. */
  readonly isPlain: boolean;
}

/** Why the text is no YAML, and where: an index into it. */
export function yamlDefect(reason: string, index: number): InvalidInputError {
  return new InvalidInputError('E_YAML', reason, {}, { index });
}

/** Where a key may have begun that shows only at its colon. */
interface SimpleKey {
  isPossible: boolean;
  readonly isRequired: boolean;
  readonly token: number;
  readonly start: number;
  readonly line: number;
  readonly column: number;
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const doubleQuote = 0x22;
const hash = 0x23;
const percent = 0x25;
const singleQuote = 0x27;
const comma = 0x2c;
const dash = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const question = 0x3f;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const pipe = 0x7c;
const closeBrace = 0x7d;
const nextLine = 0x85;

/** How far behind its beginning the colon of a key may stand. */
const longestKey = 1024;
/** Both of brackets and of indentations. */
const deepest = 10_000;

const escapes: Readonly<Record<string, string>> = {
  0: '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  "'": "'",
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
};
const digitsOfEscape: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

const isBlank = (code: number): boolean => code === space || code === tab;
const isBreak = (code: number): boolean =>
  code === lineFeed || code === carriageReturn || code === nextLine;
const isBreakOrEnd = (code: number): boolean => code === 0 || isBreak(code);
const isBlankOrEnd = (code: number): boolean => isBlank(code) || isBreakOrEnd(code);

const word = /[\w-]*/y;
const uri = /[\w\-;/?:@&=+$,.!~*'()[\]]*/y;

export class YamlScanner {
  readonly comments: { readonly start: number; readonly end: number }[] = [];
  readonly #text: string;
  #at = 0;
  #line = 0;
  #lineStart = 0;
  #flowLevel = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  #mayBeginKey = true;
  readonly #simpleKeys: SimpleKey[];
  /** Places in `#simpleKeys`, by the number of the token that would be the key. */
  readonly #keysByToken = new Map<number, number>();
  readonly #tokens: Token[] = [];
  #head = 0;
  #parsed = 0;
  #isAvailable = false;

  /**
   * @param text without NUL; a byte order mark that it begins with is passed over
   * @param from where a line's first key is, in a block map that has begun before it
   */
  constructor(text: string, from?: { readonly start: number; readonly column: number }) {
    this.#text = `${text}\0`;
    if (from !== undefined) {
      this.#at = from.start;
      this.#lineStart = from.start - from.column;
      this.#indent = from.column;
      this.#indents.push(-1);
    } else if (text.startsWith('\ufeff')) this.#at = this.#lineStart = 1;
    this.#simpleKeys = [{ ...this.#keyHere(false), isPossible: false }];
  }

  peek(): Token {
    if (!this.#isAvailable) this.#fetchMore();
    return this.#tokens[this.#head] as Token;
  }

  /** @returns the token behind the one that was seen last */
  next(): Token {
    this.skip();
    return this.peek();
  }

  /** To be called behind {@link peek} only. */
  skip(): void {
    this.#isAvailable = false;
    this.#parsed++;
    this.#head++;
    if (this.#head === this.#tokens.length) {
      this.#tokens.length = 0;
      this.#head = 0;
    }
  }

  get #column(): number {
    return this.#at - this.#lineStart;
  }

  #code(ahead = 0): number {
    return this.#text.charCodeAt(this.#at + ahead);
  }

  #skipBreak(): void {
    this.#at += this.#code() === carriageReturn && this.#code(1) === lineFeed ? 2 : 1;
    this.#line++;
    this.#lineStart = this.#at;
  }

  #skipBlanks(): void {
    while (isBlank(this.#code())) this.#at++;
  }

  #skipComment(): void {
    if (this.#code() !== hash) return;
    const start = this.#at;
    while (!isBreakOrEnd(this.#code())) this.#at++;
    this.comments.push({ start, end: this.#at });
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #add(kind: TokenKind, start = this.#at, rest: Partial<Token> = {}): void {
    this.#tokens.push({
      kind,
      start,
      end: rest.end ?? Math.max(this.#at, start + 1),
      value: rest.value ?? '',
      suffix: rest.suffix ?? '',
      isPlain: rest.isPlain ?? false,
    });
  }

  /** Before the token of that number, or at the end where that one is gone. */
  #insert(number: number, kind: TokenKind, start: number): void {
    const ahead = number - this.#parsed;
    if (number < 0 || ahead < 0) this.#add(kind, start);
    else {
      const token = { kind, start, end: start, value: '', suffix: '', isPlain: false };
      this.#tokens.splice(this.#head + ahead, 0, token);
    }
  }

  #fetchMore(): void {
    for (;;) {
      if (this.#head !== this.#tokens.length) {
        const place = this.#keysByToken.get(this.#parsed);
        if (place === undefined) break;
        const key = this.#simpleKeys[place];
        // The reference itself breaks down over it.
        if (key === undefined) throw this.#defect('brackets and keys cannot be told apart');
        if (!this.#isValid(key)) break;
      }
      this.#fetchNext();
    }
    this.#isAvailable = true;
  }

  #fetchNext(): void {
    this.#toNextToken();
    this.#unroll(this.#column);
    const code = this.#code();
    if (code === 0) return this.#fetchEnd();
    if (this.#column === 0) {
      if (code === percent) return this.#fetchDirective();
      if (this.#isAtMarker()) {
        return this.#fetchMarker(code === dash ? 'document-start' : 'document-end');
      }
    }
    const isBeforeBlank = isBlankOrEnd(this.#code(1));
    switch (code) {
      case openBracket:
        return this.#fetchFlowStart('flow-sequence-start');
      case openBrace:
        return this.#fetchFlowStart('flow-mapping-start');
      case closeBracket:
        return this.#fetchFlowEnd('flow-sequence-end');
      case closeBrace:
        return this.#fetchFlowEnd('flow-mapping-end');
      case comma:
        return this.#fetchFlowEntry();
      case dash:
        if (isBeforeBlank) return this.#fetchBlockEntry();
        break;
      case question:
        if (this.#flowLevel > 0 || isBeforeBlank) return this.#fetchKey();
        break;
      case colon:
        if (this.#flowLevel > 0 || isBeforeBlank) return this.#fetchValue();
        break;
      case 0x2a: // *
        return this.#fetchAnchor('alias');
      case 0x26: // &
        return this.#fetchAnchor('anchor');
      case 0x21: // !
        return this.#fetchTag();
      case pipe:
      case 0x3e: // >
        if (this.#flowLevel === 0) return this.#fetchBlockScalar(code === pipe);
        throw this.#noToken('quote the text');
      case singleQuote:
      case doubleQuote:
        return this.#fetchQuoted(code);
      case percent:
      case 0x40: // @
      case 0x60: // `
        throw this.#noToken('quote the text');
      case tab:
        throw this.#noToken('a tab: indent with spaces');
    }
    this.#fetchPlain();
  }

  #noToken(hint: string): InvalidInputError {
    return this.#defect(`found a character that cannot start any token: ${hint}`);
  }

  #defect(reason: string, index = this.#at): InvalidInputError {
    return yamlDefect(reason, index);
  }

  #isAtMarker(): boolean {
    const code = this.#code();
    return (
      (code === dash || code === dot) &&
      this.#code(1) === code &&
      this.#code(2) === code &&
      isBlankOrEnd(this.#code(3))
    );
  }

  /** Tabs indent nothing: where a key may begin they are no blanks. */
  #toNextToken(): void {
    for (;;) {
      const tabsAreBlanks = this.#flowLevel > 0 || !this.#mayBeginKey;
      let code = this.#code();
      while (code === space || (tabsAreBlanks && code === tab)) {
        this.#at++;
        code = this.#code();
      }
      this.#skipComment();
      if (!isBreak(this.#code())) return;
      this.#skipBreak();
      if (this.#flowLevel === 0) this.#mayBeginKey = true;
    }
  }

  #keyHere(isRequired: boolean): SimpleKey {
    return {
      isPossible: true,
      isRequired,
      token: this.#parsed + this.#tokens.length - this.#head,
      start: this.#at,
      line: this.#line,
      column: this.#column,
    };
  }

  /** A key without `?` is on one line, with its colon near. */
  #isValid(key: SimpleKey): boolean {
    if (!key.isPossible) return false;
    if (key.line === this.#line && !this.#isFarFrom(key.start)) return true;
    if (key.isRequired) throw missingColon(key);
    key.isPossible = false;
    return false;
  }

  /** In characters: each of some takes two of JavaScript's. */
  #isFarFrom(start: number): boolean {
    if (this.#at - start <= longestKey) return false;
    if (this.#at - start > 2 * longestKey) return true;
    let length = this.#at - start;
    for (let index = start; index < this.#at; index++) {
      if ((this.#text.charCodeAt(index) & 0xfc00) === 0xdc00) length--;
    }
    return length > longestKey;
  }

  #saveKey(): void {
    if (!this.#mayBeginKey) return;
    const key = this.#keyHere(this.#flowLevel === 0 && this.#indent === this.#column);
    this.#removeKey();
    const place = this.#simpleKeys.length - 1;
    this.#simpleKeys[place] = key;
    this.#keysByToken.set(key.token, place);
  }

  #removeKey(): void {
    const key = this.#simpleKeys.at(-1) as SimpleKey;
    if (!key.isPossible) return;
    if (key.isRequired) throw missingColon(key);
    key.isPossible = false;
    this.#keysByToken.delete(key.token);
  }

  #roll(column: number, number: number, kind: TokenKind, start: number): void {
    if (this.#flowLevel > 0 || this.#indent >= column) return;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > deepest) throw new RangeError('too deep');
    this.#insert(number, kind, start);
  }

  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#add('block-end');
      this.#indent = this.#indents.pop() as number;
    }
  }

  #fetchEnd(): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#mayBeginKey = false;
    // No key begins on the last line any more.
    this.#line++;
    this.#add('stream-end');
  }

  #fetchMarker(kind: TokenKind): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#mayBeginKey = false;
    this.#add(kind);
    this.#at += 3;
  }

  #fetchFlowStart(kind: TokenKind): void {
    this.#saveKey();
    // With the number of the bracket itself, as there.
    this.#simpleKeys.push({ ...this.#keyHere(false), isPossible: false });
    if (++this.#flowLevel > deepest) throw new RangeError('too deep');
    this.#mayBeginKey = true;
    this.#add(kind);
    this.#at++;
  }

  #fetchFlowEnd(kind: TokenKind): void {
    this.#removeKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      this.#keysByToken.delete(this.#simpleKeys.pop()?.token ?? -1);
    }
    this.#mayBeginKey = false;
    this.#add(kind);
    this.#at++;
  }

  #fetchFlowEntry(): void {
    this.#removeKey();
    this.#mayBeginKey = true;
    this.#add('flow-entry');
    this.#at++;
  }

  #fetchBlockEntry(): void {
    if (this.#flowLevel === 0) {
      if (!this.#mayBeginKey) {
        throw this.#defect('block sequence entries are not allowed in this context');
      }
      this.#roll(this.#column, -1, 'block-sequence-start', this.#at);
    }
    this.#removeKey();
    this.#mayBeginKey = true;
    this.#add('block-entry');
    this.#at++;
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      if (!this.#mayBeginKey) throw this.#defect('mapping keys are not allowed in this context');
      this.#roll(this.#column, -1, 'block-mapping-start', this.#at);
    }
    this.#removeKey();
    this.#mayBeginKey = this.#flowLevel === 0;
    this.#add('key');
    this.#at++;
  }

  #fetchValue(): void {
    const key = this.#simpleKeys.at(-1) as SimpleKey;
    if (this.#isValid(key)) {
      this.#insert(key.token, 'key', key.start);
      this.#roll(key.column, key.token, 'block-mapping-start', key.start);
      key.isPossible = false;
      this.#keysByToken.delete(key.token);
      this.#mayBeginKey = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#mayBeginKey) {
          throw this.#defect(
            'mapping values are not allowed in this context: quote a text that holds a colon',
          );
        }
        this.#roll(this.#column, -1, 'block-mapping-start', this.#at);
      }
      this.#mayBeginKey = this.#flowLevel === 0;
    }
    this.#add('value');
    this.#at++;
  }

  #fetchDirective(): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#mayBeginKey = false;
    const start = this.#at++;
    const name = this.#match(word);
    if (name === 'YAML' && isBlankOrEnd(this.#code())) {
      this.#skipBlanks();
      const version = this.#match(/\d{1,2}\.\d{1,2}(?!\d)/y);
      if (version === '') throw this.#defect('did not find expected version number', start);
      this.#add('version-directive', start, { value: version });
    } else if (name === 'TAG' && isBlankOrEnd(this.#code())) {
      this.#skipBlanks();
      const handle = this.#match(/!(?:[\w-]*!)?/y);
      if (handle === '') throw this.#defect("did not find expected '!'", start);
      if (!isBlank(this.#code())) throw this.#defect('did not find expected whitespace', start);
      this.#skipBlanks();
      const prefix = this.#match(uri);
      if (prefix === '' || !isBlankOrEnd(this.#code())) throw this.#noUri(start);
      this.#add('tag-directive', start, { value: handle, suffix: prefix });
    } else {
      throw this.#defect('found unknown directive name', start);
    }
    this.#skipRestOfLine(start);
  }

  #skipRestOfLine(start: number): void {
    this.#skipBlanks();
    this.#skipComment();
    if (!isBreakOrEnd(this.#code())) {
      throw this.#defect('did not find expected comment or line break', start);
    }
    if (isBreak(this.#code())) this.#skipBreak();
  }

  /** Escapes in tags are not read: they are not used, and a tag that hides its name is better refused. */
  #noUri(start: number): InvalidInputError {
    return this.#code() === percent
      ? this.#defect('a tag has an escape: write its characters as they are', start)
      : this.#defect('did not find expected tag URI', start);
  }

  #fetchAnchor(kind: 'alias' | 'anchor'): void {
    this.#saveKey();
    this.#mayBeginKey = false;
    const start = this.#at++;
    const value = this.#match(word);
    const code = this.#code();
    const isEnded = isBlankOrEnd(code) || '?:,]}%@`'.includes(String.fromCharCode(code));
    if (value === '' || !isEnded) {
      throw this.#defect('did not find expected alphabetic or numeric character', start);
    }
    this.#add(kind, start, { value });
  }

  #fetchTag(): void {
    this.#saveKey();
    this.#mayBeginKey = false;
    const start = this.#at;
    let handle = '';
    let suffix: string;
    if (this.#match(/!</y) !== '') {
      suffix = this.#match(uri);
      if (suffix === '') throw this.#noUri(start);
      if (this.#match(/>/y) === '') throw this.#defect("did not find the expected '>'", start);
    } else {
      handle = this.#match(/![\w-]*!?/y);
      const isHandle = handle.length > 1 && handle.endsWith('!');
      suffix = isHandle ? this.#match(uri) : handle.slice(1) + this.#match(uri);
      if (isHandle && suffix === '') throw this.#noUri(start);
      if (!isHandle) handle = '!';
      if (suffix === '') [handle, suffix] = [suffix, handle];
    }
    if (this.#code() === percent) throw this.#noUri(start);
    if (!isBlankOrEnd(this.#code())) {
      throw this.#defect('did not find expected whitespace or line break', start);
    }
    this.#add('tag', start, { value: handle, suffix });
  }

  #fetchBlockScalar(isLiteral: boolean): void {
    this.#removeKey();
    this.#mayBeginKey = true;
    const start = this.#at++;
    const header = this.#match(/[+-]\d?|\d[+-]?/y);
    let end = this.#at;
    const digit = /\d/.exec(header)?.[0];
    if (digit === '0') throw this.#defect('found an indentation indicator equal to 0', start);
    this.#skipRestOfLine(start);
    let indent = digit === undefined ? 0 : Math.max(this.#indent, 0) + Number(digit);
    const breaks = (): number => {
      const found = this.#blockBreaks(indent);
      indent = found.indent;
      return found.count;
    };
    const parts: string[] = [];
    let trailing = breaks();
    let leading = '';
    let wasBlank = false;
    while (this.#column === indent && this.#code() !== 0) {
      const isIndented = isBlank(this.#code());
      if (!isLiteral && !wasBlank && !isIndented && leading !== '') {
        if (trailing === 0) parts.push(' ');
      } else {
        parts.push(leading);
      }
      parts.push('\n'.repeat(trailing));
      wasBlank = isIndented;
      const from = this.#at;
      while (!isBreakOrEnd(this.#code())) this.#at++;
      parts.push(this.#text.slice(from, this.#at));
      end = this.#at;
      leading = '';
      if (isBreak(this.#code())) {
        this.#skipBreak();
        leading = '\n';
      }
      trailing = breaks();
    }
    if (!header.includes('-')) parts.push(leading);
    if (header.includes('+')) parts.push('\n'.repeat(trailing));
    this.#add('scalar', start, { value: parts.join(''), end });
  }

  /** Empty lines, and the indentation of what follows; found here where nothing has said it. */
  #blockBreaks(indent: number): { count: number; indent: number } {
    let count = 0;
    let widest = 0;
    for (;;) {
      while ((indent === 0 || this.#column < indent) && this.#code() === space) this.#at++;
      widest = Math.max(widest, this.#column);
      if ((indent === 0 || this.#column < indent) && this.#code() === tab) {
        throw this.#defect(
          'found a tab character where an indentation space is expected: indent with spaces',
        );
      }
      if (!isBreak(this.#code())) break;
      this.#skipBreak();
      count++;
    }
    return { count, indent: indent === 0 ? Math.max(widest, this.#indent + 1, 1) : indent };
  }

  #fetchQuoted(quote: number): void {
    this.#saveKey();
    this.#mayBeginKey = false;
    const start = this.#at++;
    let value = '';
    /** Where what is taken as it stands begins. */
    let from = this.#at;
    for (;;) {
      if (this.#column === 0 && this.#isAtMarker()) {
        throw this.#defect('found unexpected document indicator in a quoted text', start);
      }
      if (this.#code() === 0) throw this.#defect('a quoted text does not end', start);
      let isJoined = false;
      for (let code = this.#code(); !isJoined && !isBlankOrEnd(code); code = this.#code()) {
        if (code === quote) {
          if (quote === doubleQuote || this.#code(1) !== singleQuote) break;
          this.#at++;
          value += this.#text.slice(from, this.#at);
          from = ++this.#at;
        } else if (code === backslash && quote === doubleQuote) {
          value += this.#text.slice(from, this.#at);
          isJoined = isBreak(this.#code(1));
          if (isJoined) {
            this.#at++;
            this.#skipBreak();
          } else value += this.#escaped(start);
          from = this.#at;
        } else {
          this.#at++;
        }
      }
      const end = this.#at;
      if (this.#code() === quote) {
        value += this.#text.slice(from, end);
        break;
      }
      const breaks = this.#quotedBlanks();
      if (breaks === 0 && !isJoined) continue;
      value += this.#text.slice(from, end) + (isJoined ? '\n'.repeat(breaks) : joined(breaks));
      from = this.#at;
    }
    this.#at++;
    this.#add('scalar', start, { value });
  }

  #escaped(start: number): string {
    const name = this.#text[this.#at + 1] ?? '';
    const known = Object.hasOwn(escapes, name) ? escapes[name] : undefined;
    const digits = Object.hasOwn(digitsOfEscape, name) ? (digitsOfEscape[name] ?? 0) : 0;
    if (known === undefined && digits === 0) {
      throw this.#defect('found unknown escape character: write \\\\ for a backslash');
    }
    this.#at += 2;
    if (known !== undefined) return known;
    const hex = this.#text.slice(this.#at, this.#at + digits);
    if (hex.length < digits || !/^[0-9a-fA-F]+$/.test(hex)) {
      throw this.#defect('did not find expected hexadecimal number', start);
    }
    const code = Number.parseInt(hex, 16);
    if ((code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) {
      throw this.#defect('found invalid Unicode character escape code');
    }
    this.#at += digits;
    return String.fromCodePoint(code);
  }

  /** Passes by blanks, and says how many lines end among them. */
  #quotedBlanks(): number {
    let breaks = 0;
    for (let code = this.#code(); ; code = this.#code()) {
      if (isBlank(code)) this.#at++;
      else if (isBreak(code)) {
        this.#skipBreak();
        breaks++;
      } else return breaks;
    }
  }

  #fetchPlain(): void {
    this.#saveKey();
    this.#mayBeginKey = false;
    const start = this.#at;
    const indent = this.#indent + 1;
    let value = '';
    /** Where what is taken as it stands begins and ends. */
    let from = start;
    let end = start;
    let breaks = 0;
    for (;;) {
      if ((this.#column === 0 && this.#isAtMarker()) || this.#code() === hash) break;
      const word = this.#at;
      while (!this.#isEndOfPlain()) this.#at++;
      if (this.#at > word) {
        if (breaks > 0) {
          value += this.#text.slice(from, end) + joined(breaks);
          from = word;
        }
        end = this.#at;
        breaks = 0;
      }
      let code = this.#code();
      if (!isBlank(code) && !isBreak(code)) break;
      for (; isBlank(code) || isBreak(code); code = this.#code()) {
        if (isBreak(code)) {
          this.#skipBreak();
          breaks++;
        } else {
          if (breaks > 0 && code === tab && this.#column < indent) {
            throw this.#defect(
              'found a tab character that violates indentation: indent with spaces',
            );
          }
          this.#at++;
        }
      }
      if (this.#flowLevel === 0 && this.#column < indent) break;
    }
    value += this.#text.slice(from, end);
    this.#add('scalar', start, { value, isPlain: true, end });
    if (breaks > 0) this.#mayBeginKey = true;
  }

  #isEndOfPlain(): boolean {
    const code = this.#code();
    if (isBlankOrEnd(code)) return true;
    if (code === colon && isBlankOrEnd(this.#code(1))) return true;
    if (this.#flowLevel === 0) return false;
    return (
      code === comma ||
      code === question ||
      code === openBracket ||
      code === closeBracket ||
      code === openBrace ||
      code === closeBrace
    );
  }
}

/** One line break is a space, several are one less, and blanks beside them are nothing. */
function joined(breaks: number): string {
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1);
}

function missingColon({ start }: SimpleKey): InvalidInputError {
  return yamlDefect("could not find expected ':' behind a key", start);
}
