/** Cuts a stream of JSON objects into its objects, so that a large catalog is never in memory whole. */
import { InvalidInputError } from '../text/documents/index.js';

/** The text of one object, and the line on which it begins (from 1). */
export interface JsonSlice {
  readonly text: string;
  readonly line: number;
}

const quote = 0x22;
const backslash = 0x5c;
const newline = 0x0a;
/** Most strings end within a few bytes; long ones are left to the engine's own search. */
const shortString = 24;

/**
 * Takes bytes as they come and gives the objects that are complete. It only counts brackets outside
 * of strings: whether an object is JSON is for the parser to say. Anything else between objects is
 * given as it stands, up to the end of its line.
 */
export class JsonSplitter {
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** Text of the object that is not complete yet. */
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private startLine: number;
  /** Outside of any object, behind something that is none. */
  private inBareText = false;

  constructor(
    private readonly limits: { readonly maxBytes: number; readonly maxDepth: number },
    private line = 1,
  ) {
    this.startLine = line;
  }

  /** @throws InvalidInputError `E_LIMIT` for an object that is too large or nests too deep. */
  push(chunk: Buffer): JsonSlice[] {
    const slices: JsonSlice[] = [];
    const { length } = chunk;
    let at = 0;
    let start = this.isOpen() ? 0 : -1;
    if (this.escaped && length > 0) {
      at = 1;
      this.escaped = false;
    }
    while (at < length) {
      if (this.inString) {
        at = this.skipString(chunk, at);
        continue;
      }
      const byte = chunk[at] as number;
      if (this.inBareText) {
        if (byte === newline) {
          slices.push(this.take(chunk, start, at));
          this.inBareText = false;
          start = -1;
          continue;
        }
        at++;
      } else if (byte === quote) {
        if (this.depth === 0) {
          start = this.begin(at);
          this.inBareText = true;
        } else {
          this.inString = true;
        }
        at++;
      } else if (byte === 0x7b || byte === 0x5b) {
        if (this.depth === 0) start = this.begin(at);
        if (++this.depth > this.limits.maxDepth) throw this.tooDeep();
        at++;
      } else if (byte === 0x7d || byte === 0x5d) {
        at++;
        if (this.depth === 0) {
          start = this.begin(at - 1);
          this.inBareText = true;
        } else if (--this.depth === 0) {
          slices.push(this.take(chunk, start, at));
          start = -1;
        }
      } else {
        if (byte === newline) this.line++;
        else if (this.depth === 0 && byte > 0x20) {
          start = this.begin(at);
          this.inBareText = true;
        }
        at++;
      }
    }
    if (start !== -1) this.keep(chunk.subarray(start));
    return slices;
  }

  /** What is left: an object that is cut off, or something that is no object. */
  finish(): JsonSlice | undefined {
    if (!this.isOpen()) return undefined;
    return this.take(Buffer.alloc(0), 0, 0);
  }

  private isOpen(): boolean {
    return this.depth > 0 || this.inBareText;
  }

  private begin(at: number): number {
    this.startLine = this.line;
    return at;
  }

  private skipString(chunk: Buffer, from: number): number {
    const { length } = chunk;
    const near = Math.min(from + shortString, length);
    let at = from;
    for (; at < near; at++) {
      const byte = chunk[at];
      if (byte === quote) {
        this.inString = false;
        return at + 1;
      }
      if (byte === backslash) at++;
    }
    while (at < length) {
      const end = chunk.indexOf(quote, at);
      if (end === -1) break;
      let slashes = 0;
      while (end - 1 - slashes >= at && chunk[end - 1 - slashes] === backslash) slashes++;
      at = end + 1;
      if (slashes % 2 === 0) {
        this.inString = false;
        return at;
      }
    }
    this.escaped = at > length || endsEscaped(chunk, Math.min(at, length));
    return length;
  }

  private keep(bytes: Buffer): void {
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > this.limits.maxBytes) {
      throw new InvalidInputError(
        'E_LIMIT',
        `has an object of more than ${this.limits.maxBytes} bytes`,
        { line: this.startLine },
      );
    }
    // The reader uses its chunk again.
    this.pending.push(Buffer.from(bytes));
  }

  private take(chunk: Buffer, start: number, end: number): JsonSlice {
    let text: string;
    if (this.pending.length === 0) {
      text = chunk.toString('utf8', start, end);
    } else {
      text = Buffer.concat([...this.pending, chunk.subarray(0, end)]).toString('utf8');
      this.pending = [];
      this.pendingBytes = 0;
    }
    return { text, line: this.startLine };
  }

  private tooDeep(): InvalidInputError {
    return new InvalidInputError('E_LIMIT', `nests more than ${this.limits.maxDepth} levels deep`, {
      line: this.line,
    });
  }
}

/** Whether the bytes from `from` on end in an odd run of backslashes. */
function endsEscaped(chunk: Buffer, from: number): boolean {
  let slashes = 0;
  while (chunk.length - 1 - slashes >= from && chunk[chunk.length - 1 - slashes] === backslash) {
    slashes++;
  }
  return slashes % 2 === 1;
}
