/**
 * Orders texts as Go's `sort.Strings` does: by bytes of UTF-8, which is by code points. JavaScript's
 * own order compares UTF-16 units and puts U+FF5E behind an emoji.
 */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    const surrogates = Number(isSurrogate(a)) - Number(isSurrogate(b));
    return surrogates === 0 ? a - b : surrogates;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** A sorted copy without repetitions. */
export function sortedUnique(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareText);
}
