/**
 * Cuts a stream of JSON into its values, so that a large one is never in memory whole: by brackets, or much faster where
 * a line begins with `{`, as objects do in every catalog that a program wrote. Such a cut is right exactly when both sides
 * parse; the caller tries.
 */
import { append } from '../long-lists.js';
import { InvalidInputError, type Limits } from './error.js';
import { JsonLexer, kinds, type Kind } from './json-lexer.js';

export interface JsonSlice {
  readonly text: string;
  readonly line: number;
  /** The List without its items; its kind says whether it is an object itself. */
  readonly isAroundItems?: true;
}

export interface CutterOptions extends Pick<Limits, 'maxBytes' | 'maxDepth'> {
  /** One slice for each item of a List, and behind them the whole of it, where that may be an object. */
  readonly items?: boolean;
  readonly line?: number;
}

const itemsKey = '"items"';
/** API servers take no object of more than 3 MiB, which indentation makes a few times larger. */
const maxAroundItems = 16 * 1024 * 1024;
/** Inside of the List, and of the list that it holds. */
const amongItems = 2;

/** The cutter looks at brackets and strings only: whether a value is JSON is for the parser to say. */
export class JsonCutter {
  private readonly lexer = new JsonLexer();
  private depth = 0;
  /** The depth at which values are cut out. */
  private base: 0 | typeof amongItems = 0;
  /** Between values, but behind something that is none. */
  private inBareText = false;
  /** Where the value that is being read begins in the last piece; -1 outside of any. */
  private start = -1;
  private startLine = 0;
  /** Its beginning, from earlier pieces. */
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  /** The last string at depth 1 as far as it matters, and the colon behind it. */
  private key = '';
  /** The value whose items are cut out, as long as it may be an object itself. */
  private around: { pieces: Buffer[]; bytes: number; start: number; line: number } | undefined;

  constructor(private readonly options: CutterOptions) {}

  /** @throws InvalidInputError `E_LIMIT` for a value that is too large or nests too deep. */
  push(chunk: Buffer): JsonSlice[] {
    const { lexer } = this;
    const slices: JsonSlice[] = [];
    const text = chunk.toString('latin1');
    lexer.feed(text);
    if (this.start >= 0) this.start = 0;
    if (this.around !== undefined) this.around.start = 0;
    for (;;) {
      if (this.inBareText) {
        const newline = text.indexOf('\n', lexer.end);
        if (newline < 0) break;
        slices.push(this.take(chunk, newline));
        this.inBareText = false;
        lexer.moveTo(newline);
      }
      const isAtKeys = this.options.items === true && this.depth === 1 && this.base === 0;
      const kind = isAtKeys || this.depth === 0 ? lexer.next() : lexer.skim();
      if (kind === kinds.end) break;
      const isOfItems = isAtKeys && this.isList(kind, text);
      if (kind === kinds.openObject || kind === kinds.openList) this.open(isOfItems);
      else if (this.depth === 0) this.begin('bare');
      else if (kind === kinds.closeObject || kind === kinds.closeList) {
        if (this.close()) slices.push(this.take(chunk, lexer.end));
        else if (this.depth === 0) append(slices, this.takeAround(chunk, lexer.end));
      }
    }
    if (this.start >= 0) this.keep(chunk.subarray(this.start));
    this.keepAround(chunk);
    return slices;
  }

  /**
   * A value that is cut off, or text that is none. @throws InvalidInputError `E_JSON` for a List that does not end
   */
  finish(): JsonSlice | undefined {
    if (this.start >= 0) return this.take(Buffer.alloc(0), 0);
    if (this.depth === 0) return undefined;
    throw new InvalidInputError('E_JSON', 'ends inside a list', { line: this.line });
  }

  private open(isOfItems: boolean): void {
    if (isOfItems) {
      this.base = amongItems;
      const { pending: pieces, pendingBytes: bytes, start, startLine: line } = this;
      if (start >= 0) this.around = { pieces, bytes, start, line };
      this.drop();
    } else if (this.depth === this.base) this.begin('value');
    if (++this.depth > this.options.maxDepth) {
      const message = `nests more than ${this.options.maxDepth} levels deep`;
      throw new InvalidInputError('E_LIMIT', message, { line: this.line });
    }
  }

  private close(): boolean {
    this.depth--;
    if (this.depth < this.base) this.base = 0;
    return this.depth === this.base && this.start >= 0;
  }

  private begin(what: 'value' | 'bare'): void {
    this.start = this.lexer.start;
    this.startLine = this.line;
    this.inBareText = what === 'bare';
  }

  private get line(): number {
    return (this.options.line ?? 1) + this.lexer.line - 1;
  }

  /** Whether the token opens the list of items. A key may lie across pieces. */
  private isList(kind: Kind, text: string): boolean {
    const isOfItems = kind === kinds.openList && this.key === `${itemsKey}:`;
    if (kind === kinds.string) {
      const { start, end } = this.lexer;
      const known = this.isInKey ? this.key : '';
      this.key = known + text.slice(start, Math.min(end, start + itemsKey.length + 1));
    } else this.key = kind === kinds.colon && this.key === itemsKey ? `${itemsKey}:` : '';
    this.isInKey = this.lexer.isInString;
    return isOfItems;
  }
  private isInKey = false;

  private keep(bytes: Buffer): void {
    this.pendingBytes += bytes.length;
    if (this.pendingBytes > this.options.maxBytes) {
      const message = `has an object of more than ${this.options.maxBytes} bytes`;
      throw new InvalidInputError('E_LIMIT', message, { line: this.startLine });
    }
    // The reader uses its chunk again.
    this.pending.push(Buffer.from(bytes));
  }

  private keepAround(chunk: Buffer, end = chunk.length): void {
    if (this.around === undefined) return;
    this.around.bytes += end - this.around.start;
    if (this.around.bytes > maxAroundItems) this.around = undefined;
    // The reader uses its chunk again.
    else this.around.pieces.push(Buffer.from(chunk.subarray(this.around.start, end)));
  }

  private takeAround(chunk: Buffer, end: number): JsonSlice[] {
    this.keepAround(chunk, end);
    if (this.around === undefined) return [];
    const { pieces, line } = this.around;
    this.around = undefined;
    return [{ text: Buffer.concat(pieces).toString('utf8'), line, isAroundItems: true }];
  }

  private take(chunk: Buffer, end: number): JsonSlice {
    const text =
      this.pending.length === 0
        ? chunk.toString('utf8', this.start, end)
        : Buffer.concat([...this.pending, chunk.subarray(0, end)]).toString('utf8');
    this.drop();
    return { text, line: this.startLine };
  }

  private drop(): void {
    this.start = -1;
    this.pending = [];
    this.pendingBytes = 0;
  }
}

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
    if (this.pending.at(-1)?.at(-1) === 0x0a && chunk[0] === 0x7b)
      pieces.push(this.take(chunk, 0, 0));
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
