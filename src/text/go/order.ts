/** JavaScript compares UTF-16 units and puts U+FF5E behind an emoji; Go compares bytes of UTF-8. */
export function compareBytes(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const one = left.charCodeAt(at);
    const other = right.charCodeAt(at);
    if (one !== other) return rank(one) < rank(other) ? -1 : 1;
  }
  return left.length < right.length ? -1 : 1;
}

/** Halves of a surrogate pair stand for code points above every other code unit. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** The order in which Go prints and encodes the keys of a map. */
export function sortedKeys(map: object): string[] {
  return Object.keys(map).sort(compareBytes);
}

/** A sorted copy without repetitions, as Kubernetes lists its sets. */
export function sortedUnique(texts: Iterable<string>): string[] {
  return [...new Set(texts)].sort(compareBytes);
}
