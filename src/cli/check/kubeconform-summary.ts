/** The end of `--summary`: which kinds were skipped, and the line that kubeconform prints with `-summary`. */
import type { Document } from '../../text/documents/index.js';
import type { SkippedKinds } from './skipped-kinds.js';

interface Counts {
  readonly allowed: number;
  readonly denied: number;
  readonly skipped: number;
  readonly errors: number;
}

/**
 * The last line is kubeconform's to the letter, because scripts read it.
 *
 * @param documents everything that was read; kubeconform counts their files
 */
export function kubeconformSummary(
  documents: readonly Document[],
  { allowed, denied, skipped, errors }: Counts,
  kinds: SkippedKinds,
): string {
  const files = new Set(documents.map(({ file }) => file));
  const isStdin = files.size === 1 && files.has('-');
  const where = isStdin ? 'parsing stdin' : `in ${several(files.size, 'file')}`;
  const resources = several(allowed + denied + skipped, 'resource');
  const named = skipped === 0 ? '' : `Skipped, without a definition: ${kinds.describe()}\n`;
  return `${named}Summary: ${resources} found ${where} - Valid: ${allowed}, Invalid: ${denied}, Errors: ${errors}, Skipped: ${skipped}`;
}

function several(count: number, word: string): string {
  return `${count} ${word}${count > 1 ? 's' : ''}`;
}
