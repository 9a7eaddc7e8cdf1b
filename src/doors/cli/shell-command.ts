/** Commands that a person is told to run: names in them come from catalogs and clusters. */

/** A command whose words a shell takes as they are. */
export function shellCommand(...words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
