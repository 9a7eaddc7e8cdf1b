/** The name that a person most likely meant. */

/** To compare two words takes as long as the product of their lengths. */
const longest = 300;

/** Smallest edit distance within a third of the word's length; nothing when no name is that close. */
export function nearest(word: string, names: Iterable<string>): string | undefined {
  if (word.length > longest) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** ` (did you mean "…"?)`, or nothing when no name is close. */
export function didYouMean(word: string, names: Iterable<string>): string {
  const close = nearest(word, names);
  return close === undefined ? '' : ` (did you mean "${close}"?)`;
}

/** Whether one slip of the hand makes one of the other: a letter more, less or other, or two that change places. */
export function isSlipOf(word: string, name: string): boolean {
  if (Math.abs(word.length - name.length) > 1) return false;
  const from = [...word].findIndex((letter, index) => letter !== name[index]);
  const swapped = `${word.slice(0, from)}${word[from + 1]}${word[from]}${word.slice(from + 2)}`;
  return (from >= 0 && swapped === name) || editDistance(word, name) === 1;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1;
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + change,
        ),
      );
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
