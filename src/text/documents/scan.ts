/** One cheap pass over JSON text, before anything is built from it. */

const quote = 0x22;
const backslash = 0x5c;
const minus = 0x2d;
const comma = 0x2c;

export interface Scan {
  /** Deepest nesting of lists and objects. */
  readonly depth: number;
  /** As {@link Limits.maxValues} counts them. */
  readonly values: number;
  /** Start and end offsets, in pairs, of number literals that JavaScript would not print back. */
  readonly lossyNumbers: readonly number[];
}

/** What a number that keeps its text counts beside other values. */
const keptNumber = 5;

/**
 * Says how deep JSON text nests, how many values it holds and which of its numbers would change by
 * going through `JSON.parse`. Text that is not JSON gets an answer too; parsing reports the error.
 * Past `maxValues` nothing more is looked at.
 */
export function scanJson(text: string, maxValues = Infinity): Scan {
  const lossyNumbers: number[] = [];
  const length = text.length;
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let at = 0;
  while (at < length && values <= maxValues) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at + 1);
    } else if (code === 0x7b || code === 0x5b) {
      depth++;
      values++;
      if (depth > deepest) deepest = depth;
      at++;
    } else if (code === 0x7d || code === 0x5d) {
      depth--;
      at++;
    } else if (code === comma) {
      values++;
      at++;
    } else if (code === minus || (code >= 0x30 && code <= 0x39)) {
      const end = endOfNumber(text, at + 1);
      if (isLossy(text, at, end)) {
        lossyNumbers.push(at, end);
        values += keptNumber - 1;
      }
      at = end;
    } else {
      at++;
    }
  }
  return { depth: deepest, values, lossyNumbers };
}

/** Beyond this, the engine's own search is faster than looking at each character. */
const shortString = 24;

function endOfString(text: string, start: number): number {
  const near = Math.min(start + shortString, text.length);
  let at = start;
  for (; at < near; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at++;
  }
  for (let end = text.indexOf('"', at); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (before >= at && text.charCodeAt(before) === backslash) before--;
    // Behind an even number of backslashes the quote stands for itself.
    if ((end - before) % 2 === 1) return end + 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isPart =
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2e ||
      code === 0x65 ||
      code === 0x45 ||
      code === 0x2b ||
      code === minus;
    if (!isPart) break;
  }
  return at;
}

function isLossy(text: string, start: number, end: number): boolean {
  // Up to 15 plain digits always survive; only the rare rest is worth a slice.
  if (end - start <= 15 && text.charCodeAt(start) !== minus) {
    let plain = true;
    for (let at = start; at < end && plain; at++)
      plain = text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39;
    if (plain) return false;
  }
  const literal = text.slice(start, end);
  return String(Number(literal)) !== literal;
}
