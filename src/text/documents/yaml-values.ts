/** Cuts a YAML stream into its documents, or into the items of its Lists, without parsing it. */
import { InvalidInputError } from './error.js';

/**
 * Push-style: text in, texts of whole documents out. A document whose `items:` stand at the first
 * column, as kubectl writes Lists, is given out item by item.
 */
export class YamlValueCutter {
  private lines: string[] = [];
  private size = 0;
  private partial = '';
  private inItems = false;

  constructor(private readonly maxCharacters: number) {}

  /** @throws InvalidInputError `E_LIMIT` */
  push(text: string): string[] {
    const found: string[] = [];
    const lines = (this.partial + text).split('\n');
    this.partial = lines.pop() ?? '';
    for (const line of lines) this.take(line, found);
    this.bound(this.partial.length);
    return found;
  }

  /** The last document. */
  end(): string[] {
    const found: string[] = [];
    if (this.partial !== '') this.take(this.partial, found);
    this.partial = '';
    this.flush(found);
    return found;
  }

  private take(line: string, found: string[]): void {
    if (/^---(?:\s|$)/.test(line) || /^\.\.\.\s*$/.test(line)) {
      this.flush(found);
      this.inItems = false;
      const rest = line.slice(3).trim();
      if (line.startsWith('---') && rest !== '') this.keep(rest);
    } else if (/^items:\s*$/.test(line)) {
      this.inItems = true;
      this.lines = [];
    } else if (this.inItems && line.startsWith('- ')) {
      this.flush(found);
      this.keep(`  ${line.slice(2)}`);
    } else if (this.inItems && /^[^\s#-]/.test(line)) {
      // kind: List and its metadata, behind the items.
      this.flush(found);
      this.keep('#');
    } else {
      this.keep(line);
    }
  }

  private keep(line: string): void {
    this.lines.push(line);
    this.size += line.length + 1;
    this.bound(this.size);
  }

  private bound(size: number): void {
    if (size <= this.maxCharacters) return;
    throw new InvalidInputError(
      'E_LIMIT',
      `has an object of more than ${this.maxCharacters} bytes`,
    );
  }

  private flush(found: string[]): void {
    if (this.lines.some((line) => /^\s*[^\s#]/.test(line)) && this.lines[0] !== '#') {
      found.push(`${this.lines.join('\n')}\n`);
    }
    this.lines = [];
    this.size = 0;
  }
}
