/** Checks that were not made, for people: of sentences that differ only in their subject, the first few. */
import { groupBy } from '../text/group.js';

const mostAlike = 3;

/** Sentences with one reason stand together; `-o json` has them all. */
export function abridgeUnchecked(sentences: readonly string[]): string[] {
  return [...groupBy(sentences, reasonIn).values()].flatMap((group) => {
    // A line that counts one sentence takes the room of that sentence.
    if (group.length <= mostAlike + 1) return group;
    const more = `${group.length - mostAlike} more like these: -o json has them all`;
    return [...group.slice(0, mostAlike), more];
  });
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
