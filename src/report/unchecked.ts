/** Checks that were not made, for people: of sentences that differ only in their subject, the first few. */
import { groupBy } from '../text/group.js';

const mostAlike = 3;

/** Joins sentences with one reason; `-o json` has them all. */
export function abridgeUnchecked(sentences: readonly string[]): string[] {
  return [...groupBy(sentences, reasonIn).values()].flatMap((group) => {
    const { shown, more } = firstOf(group, mostAlike);
    return more === 0 ? shown : [...shown, `${more} more like these: -o json has them all`];
  });
}

export function firstOf<Item>(
  items: readonly Item[],
  most: number,
): { readonly shown: readonly Item[]; readonly more: number } {
  // A line that counts one item takes the room of that item.
  const shown = items.length <= most + 1 ? items : items.slice(0, most);
  return { shown, more: items.length - shown.length };
}

/** The last part, without paths, addresses, variables, dotted names, numbers and parentheses. */
function reasonIn(sentence: string): string {
  const reason = sentence
    .slice(sentence.lastIndexOf(': ') + 1)
    .replaceAll(/\([^()]*\)/g, '')
    .split(' ')
    .filter((word) => !/[\d/{]|\w\.\w/.test(word))
    .join(' ');
  return reason.trim() === '' ? sentence : reason;
}
