export function placeAt(text: string, offset: number): { line: number; column: number } {
  return { line: 1 + countLines(text, 0, offset), column: columnAt(text, offset) };
}

export function columnAt(text: string, offset: number): number {
  return offset === 0 ? 1 : offset - text.lastIndexOf('\n', offset - 1);
}

/** How many lines begin between the two offsets. */
export function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
    lines++;
  }
  return lines;
}

/** Places in one text, for callers that need many. */
export class LineStarts {
  readonly #starts = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  placeAt(offset: number): { line: number; column: number } {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] as number) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#starts[low] as number) + 1 };
  }
}
