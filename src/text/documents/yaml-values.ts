/** Cuts a YAML stream into its documents, or into the items of its Lists, without parsing it. */
import { InvalidInputError } from './error.js';
import type { JsonSlice } from './json-cutter.js';

/** Lines that kubectl writes before the items of a List. Anything else may be the beginning of a longer text. */
const header =
  /^(?:#.*|(?:apiVersion|kind):\s+[\w./-]+|metadata:(?:\s+\{\})?|\s+[\w.-]+:\s+(?:""|[\w./-]+))?\s*$/;

const item = /^-(?:\s|$)/;

/** Behind the items: another field, never a second list of items, however it is spelled. */
const otherField = /^(?!items\s*:)[A-Za-z]\w*:(?:\s|$)/;

/**
 * Push-style: text in, texts of whole documents out, each with its first line. A document that begins as kubectl writes a List,
 * with `items:` and each `-` at the first column, is given out item by item.
 */
export class YamlValueCutter {
  private lines: string[] = [];
  /** Lines read so far, and which of them is the first of what is held. */
  private count = 0;
  private first = 1;
  private size = 0;
  private partial = '';
  /** In a List: whether its items are read, or the fields after them. Any other document is kept whole. */
  private part: 'document' | 'items' | 'rest' = 'document';
  /** How many of the lines are known to stand in a header, and whether the next one might. */
  private headerLines = 0;
  private isHeader = true;

  constructor(private readonly maxCharacters: number) {}

  /** @throws InvalidInputError `E_LIMIT` */
  push(text: string): JsonSlice[] {
    const found: JsonSlice[] = [];
    // Or a long line would be searched again with each piece of it.
    if (!text.includes('\n')) {
      this.partial += text;
      this.bound(this.partial.length);
      return found;
    }
    const lines = (this.partial + text).split('\n');
    this.partial = lines.pop() ?? '';
    for (const line of lines) this.take(line, found);
    this.bound(this.partial.length);
    return found;
  }

  /** The last document. */
  end(): JsonSlice[] {
    const found: JsonSlice[] = [];
    if (this.partial !== '') this.take(this.partial, found);
    this.partial = '';
    this.flush(found);
    return found;
  }

  private take(line: string, found: JsonSlice[]): void {
    this.count++;
    if (/^---(?:\s|$)/.test(line) || /^\.\.\.\s*$/.test(line)) {
      this.flush(found);
      this.part = 'document';
      // The rest of the line is a comment, or refused when the document is read.
      if (line.startsWith('---') && line.trim() !== '---') this.keep(line);
    } else if (this.part === 'rest') {
      this.pass(line);
    } else if (this.part === 'items' && item.test(line)) {
      this.flush(found);
      this.keep(` ${line.slice(1)}`);
    } else if (item.test(line) && this.isBehindHeader()) {
      this.part = 'items';
      this.lines = [];
      this.keep(` ${line.slice(1)}`);
    } else if (this.part === 'items' && /^[^\s#-]/.test(line)) {
      // kind: List and its metadata, behind the items.
      this.flush(found);
      this.part = 'rest';
      this.pass(line);
    } else {
      this.keep(line);
    }
  }

  /** Fields of a List beside its items: lists there hold none of its objects. */
  private pass(line: string): void {
    if (/^(?:[\s#]|$)/.test(line) || item.test(line) || otherField.test(line)) return;
    throw new InvalidInputError(
      'E_YAML',
      'has more behind the items of a List than its other fields: write the items last',
      { line: this.count },
    );
  }

  private isBehindHeader(): boolean {
    const at = this.lines.findLastIndex((line) => !/^\s*(?:#.*)?$/.test(line));
    if (!/^items:\s*$/.test(this.lines[at] ?? '')) return false;
    // No line twice, however many lists of items follow.
    while (this.isHeader && this.headerLines < at) {
      this.isHeader = header.test(this.lines[this.headerLines++] ?? '');
    }
    return this.isHeader;
  }

  private keep(line: string): void {
    if (this.lines.length === 0) this.first = this.count;
    this.lines.push(line);
    this.size += line.length + 1;
    this.bound(this.size);
  }

  private bound(size: number): void {
    if (size <= this.maxCharacters) return;
    throw new InvalidInputError(
      'E_LIMIT',
      `has an object of more than ${this.maxCharacters} bytes`,
      { line: this.first },
    );
  }

  private flush(found: JsonSlice[]): void {
    if (this.lines.some((line) => /^\s*[^\s#]/.test(line))) {
      found.push({ text: `${this.lines.join('\n')}\n`, line: this.first });
    }
    this.lines = [];
    this.size = 0;
    this.headerLines = 0;
    this.isHeader = true;
  }
}
