/**
 * Ranges that the ClusterExtension API accepts as `spec.source.catalog.version`, before any controller sees it.
 * Rule: the length limit and the CEL pattern on that field in operator-controller's API v1, slips of the
 * pattern included (`*]` for a wildcard, `|` as a major number); in time linear in the text.
 */

const MAX_CHARACTERS = 64;

const blank = '[\\t\\n\\f\\r ]';
const number = '0|[1-9][0-9]*';
const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const tags = `(?:-${identifiers})?(?:\\+${identifiers})?`;
const operator = '(?:!=|>=|=>|<=|=<|~>|[=<>~^])?';
const end = `(?=[\\t\\n\\f\\r ,|]|$)`;
const firstVersion = `v?(?:${number}|[xX*|])(?:\\.(?:${number}|x|X|\\*\\]))?(?:\\.(?:${number}|x|X|\\*))?${tags}`;
const nextVersion = `v?(?:${number}|x|X|\\*\\])(?:\\.(?:${number}|x|X|\\*))?(?:\\.(?:${number}|x|X|\\*\\]))?${tags}`;
const firstTerm = new RegExp(`${blank}*${operator}${blank}*${firstVersion}${end}`, 'y');
const nextTerm = new RegExp(
  `(?:${blank}*(?:\\|\\||,)${blank}*|${blank}+)${operator}${blank}*${nextVersion}${end}`,
  'y',
);
const trailing = new RegExp(`${blank}*$`, 'y');

export function apiAccepts(text: string): boolean {
  if ([...text].length > MAX_CHARACTERS) return false;
  let position = 0;
  for (let pattern = firstTerm; ; pattern = nextTerm) {
    pattern.lastIndex = position;
    if (!pattern.test(text)) break;
    position = pattern.lastIndex;
  }
  trailing.lastIndex = position;
  return position > 0 && trailing.test(text);
}

/** Why the API refuses a range; undefined for one that it accepts. */
export function apiRefusal(text: string): string | undefined {
  if (apiAccepts(text)) return undefined;
  if (text.trim() === '') return 'it is empty';
  if ([...text].length > MAX_CHARACTERS) return `it is longer than ${MAX_CHARACTERS} characters`;
  if (/\s-\s/.test(text)) return 'it is a hyphen range; write ">=A, <=B"';
  if (/(?<![0-9A-Za-z.+-])v?0[0-9]/.test(text) || /\.0[0-9]/.test(text)) {
    return 'a number has a leading zero';
  }
  if (text.includes('*')) return 'there is a "*" where its pattern has none; write "x"';
  return 'it does not fit the pattern of the field';
}
