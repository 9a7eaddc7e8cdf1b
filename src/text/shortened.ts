/** Messages quote what they are about, and no documents: a file may be long or confidential. */

/** The beginning of a long text, and how long it is. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  // On its way to a terminal a text may be cut more than once, and its length is that of the whole.
  if (/^… \(\d{1,15} characters\)$/.test(text.slice(most))) return text;
  return `${text.slice(0, most)}… (${text.length} characters)`;
}

/** `a, b and 3 more` */
export function firstNames(names: readonly string[], most = 5): string {
  const more = names.length - most;
  return names.slice(0, most).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** More than ranges and the blobs of a catalog have, which the references quote whole. */
const longestQuoted = 600;
const longestMessage = 2_000;

export function shortMessage(message: string): string {
  if (message.length <= longestQuoted) return message;
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const open = opening(message, from);
    const close = open < 0 ? -1 : message.indexOf(message.charAt(open), open + 1);
    if (close < 0) break;
    parts.push(
      message.slice(from, open + 1),
      shortened(message.slice(open + 1, close), longestQuoted),
      message.charAt(close),
    );
    from = close + 1;
  }
  parts.push(message.slice(from));
  return shortened(parts.join(''), longestMessage);
}

/** An apostrophe inside of a word quotes nothing. */
function opening(message: string, from: number): number {
  const quote = /"|(?<!\w)'/g;
  quote.lastIndex = from;
  return quote.exec(message)?.index ?? -1;
}
