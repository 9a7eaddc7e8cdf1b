/**
 * Cuts a stream of JSON objects where a line begins with `{`: where objects begin in every catalog
 * that a program wrote, on one line each or indented. The engine searches for that much faster than
 * brackets can be counted. A cut is right exactly when both sides parse; the caller tries.
 */
import { InvalidInputError } from './error.js';

export interface Piece {
  readonly bytes: Buffer;
  /** The line on which it begins, counted from 1. */
  readonly line: number;
}

const border = Buffer.from('\n{');

export class LineSplitter {
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private line = 1;

  constructor(private readonly maxBytes: number) {}

  /** Pieces that are complete; their bytes are good until the next call. @throws InvalidInputError `E_LIMIT` */
  push(chunk: Buffer): Piece[] {
    const pieces: Piece[] = [];
    let start = 0;
    // A border may lie across two chunks.
    if (this.pendingEndsLine() && chunk[0] === 0x7b) pieces.push(this.take(chunk, 0, 0));
    for (;;) {
      const at = chunk.indexOf(border, start);
      if (at === -1) break;
      pieces.push(this.take(chunk, start, at + 1));
      start = at + 1;
    }
    this.keep(chunk.subarray(start));
    return pieces;
  }

  finish(): Piece | undefined {
    return this.pendingBytes === 0 ? undefined : this.take(Buffer.alloc(0), 0, 0);
  }

  private pendingEndsLine(): boolean {
    return this.pending.at(-1)?.at(-1) === 0x0a;
  }

  private keep(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > this.maxBytes) {
      throw new InvalidInputError('E_LIMIT', `has an object of more than ${this.maxBytes} bytes`, {
        line: this.line,
      });
    }
    // The reader uses its chunk again.
    this.pending.push(Buffer.from(bytes));
  }

  private take(chunk: Buffer, start: number, end: number): Piece {
    const last = chunk.subarray(start, end);
    const bytes = this.pending.length === 0 ? last : Buffer.concat([...this.pending, last]);
    this.pending = [];
    this.pendingBytes = 0;
    const { line } = this;
    for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) this.line++;
    return { bytes, line };
  }
}
