/** Edits of a text by positions: inserts, replaces and removes members of maps and items of lists. */

/** A member of a map or an item of a list. */
export interface Element {
  /** The first character of the key; for an item in block style, its dash. */
  readonly start: number;
  /** In block style, behind the key's colon or the item's dash; in flow style, where the value begins. */
  readonly valueFrom: number;
  readonly end: number;
}

/** Elements that follow each other, by their numbers; `to` is not among them. */
export interface Run {
  readonly from: number;
  readonly to: number;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export class TextEdits {
  readonly #edits: Edit[] = [];
  /** A byte order mark is no part of the first line. */
  readonly #first: number;

  constructor(readonly text: string) {
    this.#first = text.startsWith('\ufeff') ? 1 : 0;
  }

  replace(start: number, end: number, text: string): void {
    if (start < end || text !== '') this.#edits.push({ start, end, text });
  }

  /** Line ends of what is put in are those of the text. @throws RangeError for edits that overlap */
  apply(): string {
    const lineEnd = lineEndOf(this.text);
    // Sorting is stable: what is put in at one place stays in its order.
    const edits = this.#edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
    let at = 0;
    let done = '';
    for (const { start, end, text } of edits) {
      if (start < at) throw new RangeError('edits overlap');
      done += this.text.slice(at, start) + text.replaceAll('\n', lineEnd);
      at = end;
    }
    return done + this.text.slice(at);
  }

  lineStart(at: number): number {
    return Math.max(this.text.lastIndexOf('\n', at - 1) + 1, at === 0 ? 0 : this.#first);
  }

  /** The line break's own place; a carriage return before it belongs to it. */
  lineEnd(at: number): number {
    const end = this.text.indexOf('\n', at);
    if (end === -1) return this.text.length;
    return end > at && this.text[end - 1] === '\r' ? end - 1 : end;
  }

  nextLine(at: number): number {
    const end = this.text.indexOf('\n', at);
    return end === -1 ? this.text.length : end + 1;
  }

  column(at: number): number {
    return at - this.lineStart(at);
  }

  isFirstOnLine(at: number): boolean {
    return this.text.slice(this.lineStart(at), at).trim() === '';
  }

  /** The first place from `at` on that holds neither blanks nor line breaks. */
  skipBlanks(at: number): number {
    const found = /\S/.exec(this.text.slice(at, at + 10_000));
    return found === null ? at : at + found.index;
  }
}

/** The members or items of one collection that is on lines of its own. */
export class BlockEdits {
  readonly #column: number;

  constructor(
    private readonly edits: TextEdits,
    private readonly elements: readonly Element[],
  ) {
    this.#column = edits.column((elements[0] as Element).start);
  }

  /** With the comments that belong to them: those right above, and those that are indented deeper below. */
  remove({ from, to }: Run): void {
    const { edits, elements } = this;
    const { start } = elements[from] as Element;
    const below = this.#below(to - 1);
    if (edits.isFirstOnLine(start)) return edits.replace(this.#above(from), below, '');
    // Behind a dash, where what follows moves up to.
    edits.replace(start, edits.skipBlanks(below), '');
  }

  /** @param after the element that stays above; -1 for none @param next the first that stays below */
  insert(after: number, next: number, lines: string): void {
    const { edits } = this;
    const text = indented(lines, this.#column);
    if (after >= 0) return edits.replace(this.#below(after), this.#below(after), text);
    const { start } = this.elements[next] as Element;
    if (edits.isFirstOnLine((this.elements[0] as Element).start)) {
      const above = this.#above(next);
      return edits.replace(above, above, text);
    }
    edits.replace(start, start, text.slice(this.#column) + ' '.repeat(this.#column));
  }

  /** @param lines the rest of its line first; not indented @param kept an anchor, which stays before it */
  replaceValue({ valueFrom, end }: Element, start: number, lines: string, kept: string): void {
    const { edits } = this;
    const at = lines.indexOf('\n');
    const first = lines.slice(0, at);
    const rest = lines.slice(at + 1);
    const inline = `${kept === '' ? '' : ` ${kept}`}${first}`;
    const more = rest === '' ? '' : `\n${indented(rest, this.#column).slice(0, -1)}`;
    const from = Math.max(start, valueFrom);
    if (from > edits.lineEnd(valueFrom)) {
      // A comment beside the key stays there.
      edits.replace(valueFrom, valueFrom, inline);
      edits.replace(edits.lineEnd(valueFrom), end, more);
      return;
    }
    const isAligned = more === '' && inline.startsWith(' ') && from > valueFrom;
    edits.replace(
      isAligned ? from : valueFrom,
      Math.max(end, valueFrom),
      isAligned ? inline.slice(1) : inline,
    );
    edits.replace(edits.lineEnd(end), edits.lineEnd(end), more);
  }

  /** Where the comments begin that stand right above an element. */
  #above(number: number): number {
    const { edits } = this;
    let at = edits.lineStart((this.elements[number] as Element).start);
    // Comments above the first one may be about all of them.
    const lowest = number === 0 ? at : this.#below(number - 1);
    while (at > lowest) {
      const line = edits.lineStart(at - 1);
      const isComment =
        edits.text[line + this.#column] === '#' && edits.isFirstOnLine(line + this.#column);
      if (line < lowest || !isComment) break;
      at = line;
    }
    return at;
  }

  /** Behind an element's last line, and behind the comments that are indented deeper. */
  #below(number: number): number {
    const { edits } = this;
    const { text } = edits;
    let at = edits.nextLine((this.elements[number] as Element).end);
    while (at < text.length) {
      const first = at + (/^[ \t]*/.exec(text.slice(at, edits.lineEnd(at)))?.[0].length ?? 0);
      if (text[first] !== '#' || first - at <= this.#column) break;
      at = edits.nextLine(at);
    }
    return at;
  }
}

/** The members or items of one collection in brackets. */
export class FlowEdits {
  constructor(
    private readonly edits: TextEdits,
    private readonly elements: readonly Element[],
    private readonly open: number,
  ) {}

  /** The text between a comma, or the bracket, and the next element. */
  get separator(): string {
    const last = this.elements.length - 1;
    const from = last === 0 ? this.open + 1 : (this.elements[last - 1] as Element).end;
    const between = this.edits.text.slice(from, this.elements[last]?.start).replace(',', '');
    // Around a single element are no blanks, or those of the brackets.
    return /\S/.test(between) || (last === 0 && !between.includes('\n')) ? ' ' : between;
  }

  /** Not all of them. */
  remove({ from, to }: Run): void {
    const { edits, elements } = this;
    const next = elements[to];
    if (next !== undefined) {
      return edits.replace((elements[from] as Element).start, next.start, '');
    }
    const { end } = elements[from - 1] as Element;
    const last = (elements[to - 1] as Element).end;
    const between = edits.text.slice(end, elements[from]?.start);
    if (!between.includes('#')) return edits.replace(end, last, '');
    // In YAML a comma may be the last; the comment behind it is about what stays.
    const line = end + between.lastIndexOf('\n');
    const isLastOnLine = edits.text.slice(last, edits.lineEnd(last)).trim() === '';
    edits.replace(isLastOnLine ? line : line + 1, last, '');
  }

  insert(after: number, next: number, text: string): void {
    const { edits, separator } = this;
    if (after < 0) {
      const { start } = this.elements[next] as Element;
      return edits.replace(start, start, `${text},${separator.replaceAll('\r', '')}`);
    }
    const { end } = this.elements[after] as Element;
    edits.replace(end, end, `,${separator.replaceAll('\r', '')}${text}`);
  }
}

/** Empty lines stay empty. */
export function indented(lines: string, columns: number): string {
  return lines.replaceAll(/^(?=[^\n])/gm, ' '.repeat(columns));
}

export function lineEndOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The one range in which two texts differ, in UTF-16 code units of the first, and the second's text for it. */
export function changedPart(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  const shorter = Math.min(before.length, after.length);
  const start = sameFrom((at, to) => before.slice(at, to) === after.slice(at, to), shorter);
  const isSameEnd = (at: number, to: number): boolean =>
    before.slice(before.length - to, before.length - at) ===
    after.slice(after.length - to, after.length - at);
  const same = sameFrom(isSameEnd, shorter - start);
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/** Up to where all is the same, found by ranges that double and then halve: one after the other takes longer. */
function sameFrom(isSame: (at: number, to: number) => boolean, most: number): number {
  let at = 0;
  let length = 64;
  while (at < most && isSame(at, Math.min(at + length, most))) {
    at = Math.min(at + length, most);
    length *= 2;
  }
  for (let end = Math.min(at + length, most); at < end;) {
    const middle = Math.ceil((at + end) / 2);
    if (isSame(at, middle)) at = middle;
    else end = middle - 1;
  }
  return at;
}
