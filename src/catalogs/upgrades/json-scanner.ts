/**
 * Walks over JSON text without decoding it, so that a value can be taken as it was written.
 * Rule: Go's encoding/json, whose messages end up in the conditions that OpenShift shows.
 */
import { quote } from '../../text/go/index.js';

/** `message` is encoding/json's text. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

const simpleEscapes = new Set(['"', '\\', '/', 'b', 'f', 'n', 'r', 't']);

/** Deeper than this encoding/json gives up. */
const MAX_DEPTH = 10_000;

export class JsonScanner {
  private position = 0;

  constructor(private readonly text: string) {}

  /** The text of the next value. Throws {@link JsonSyntaxError}. */
  value(depth = 1): string {
    this.skipBlanks();
    const start = this.position;
    const character = this.peek();
    if (depth > MAX_DEPTH) throw new JsonSyntaxError('exceeded max depth');
    if (character === '{') this.members(() => this.value(depth + 1));
    else if (character === '[') this.elements(() => this.value(depth + 1));
    else if (character === '"') this.string();
    else if (character === '-' || isDigit(character)) this.number();
    else this.literal();
    return this.text.slice(start, this.position);
  }

  /** Calls `visit` at the place of each element; it must read exactly one value. */
  elements(visit: () => void): void {
    this.take();
    this.skipBlanks();
    if (this.peek() === ']') {
      this.position++;
      return;
    }
    for (;;) {
      visit();
      this.skipBlanks();
      const character = this.take();
      if (character === ']') return;
      if (character !== ',') throw unexpected(character, 'after array element');
    }
  }

  /** Calls `visit` with each decoded key, at the place of its value; it must read exactly one value. */
  members(visit: (key: string) => void): void {
    this.take();
    this.skipBlanks();
    if (this.peek() === '}') {
      this.position++;
      return;
    }
    for (;;) {
      this.skipBlanks();
      if (this.peek() !== '"') {
        throw unexpected(this.take(), 'looking for beginning of object key string');
      }
      const key = JSON.parse(this.string()) as string;
      this.skipBlanks();
      const colon = this.take();
      if (colon !== ':') throw unexpected(colon, 'after object key');
      visit(key);
      this.skipBlanks();
      const character = this.take();
      if (character === '}') return;
      if (character !== ',') throw unexpected(character, 'after object key:value pair');
    }
  }

  /** The first character of the next value, without consuming it. */
  next(): string {
    this.skipBlanks();
    return this.peek();
  }

  /** Throws {@link JsonSyntaxError} unless only blanks are left. */
  end(): void {
    this.skipBlanks();
    if (this.position < this.text.length) throw unexpected(this.take(), 'after top-level value');
  }

  private string(): string {
    const start = this.position;
    this.take();
    for (;;) {
      const character = this.take();
      if (character === '"') return this.text.slice(start, this.position);
      if (character < ' ') throw unexpected(character, 'in string literal');
      if (character === '\\') this.escape();
    }
  }

  private escape(): void {
    const character = this.takeOrBlank();
    if (simpleEscapes.has(character)) return;
    if (character !== 'u') throw unexpected(character, 'in string escape code');
    for (let digits = 0; digits < 4; digits++) {
      const digit = this.takeOrBlank();
      if (!/[0-9A-Fa-f]/.test(digit)) {
        throw unexpected(digit, 'in \\u hexadecimal character escape');
      }
    }
  }

  private number(): void {
    if (this.peek() === '-') this.position++;
    if (this.peek() === '0') this.position++;
    else this.digits('in numeric literal');
    if (this.peek() === '.') {
      this.position++;
      this.digits('after decimal point in numeric literal');
    }
    if (this.peek() === 'e' || this.peek() === 'E') {
      this.position++;
      if (this.peek() === '+' || this.peek() === '-') this.position++;
      this.digits('in exponent of numeric literal');
    }
  }

  private digits(place: string): void {
    const first = this.takeOrBlank();
    if (!isDigit(first)) throw unexpected(first, place);
    while (isDigit(this.peek())) this.position++;
  }

  private literal(): void {
    const first = this.take();
    const word = ['true', 'false', 'null'].find((literal) => literal.startsWith(first));
    if (word === undefined) throw unexpected(first, 'looking for beginning of value');
    for (const expected of word.slice(1)) {
      const character = this.takeOrBlank();
      if (character !== expected) {
        throw unexpected(character, `in literal ${word} (expecting '${expected}')`);
      }
    }
  }

  private skipBlanks(): void {
    while ([' ', '\t', '\n', '\r'].includes(this.peek())) this.position++;
  }

  private peek(): string {
    return this.text.charAt(this.position);
  }

  /** Go ends its input with a blank, which is what it complains about inside a number or a word. */
  private takeOrBlank(): string {
    return this.position < this.text.length ? this.take() : ' ';
  }

  private take(): string {
    if (this.position >= this.text.length) {
      throw new JsonSyntaxError('unexpected end of JSON input');
    }
    return String.fromCodePoint(this.text.codePointAt(this.position++) ?? 0);
  }
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

/** Go looks at bytes: of a character beyond ASCII it names the first byte as if that were one. */
function unexpected(character: string, place: string): JsonSyntaxError {
  const byte = Buffer.from(character)[0] ?? 0;
  return new JsonSyntaxError(`invalid character ${quoteByte(byte)} ${place}`);
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return String.raw`'\''`;
  return byte === 0x22 ? `'"'` : `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
