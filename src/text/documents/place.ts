/** Offsets into a text as lines and columns. */

/** Both count from 1. */
export function placeAt(text: string, offset: number): { line: number; column: number } {
  return { line: 1 + countLines(text, 0, offset), column: columnAt(text, offset) };
}

/** Counts from 1. */
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
