/** The line that kubeconform prints with `-summary`, to the letter, because scripts read it. */
import type { Document } from '../../../text/documents/index.js';

interface Counts {
  readonly allowed: number;
  readonly denied: number;
  readonly withoutDefinition: number;
  readonly errors: number;
}

/** @param documents everything that was read; kubeconform counts their files */
export function kubeconformSummary(
  documents: readonly Document[],
  { allowed, denied, withoutDefinition, errors }: Counts,
): string {
  const files = new Set(documents.map(({ file }) => file));
  const isStdin = files.size === 1 && files.has('-');
  const where = isStdin ? 'parsing stdin' : `in ${several(files.size, 'file')}`;
  const resources = several(allowed + denied + withoutDefinition, 'resource');
  return `Summary: ${resources} found ${where} - Valid: ${allowed}, Invalid: ${denied}, Errors: ${errors}, Skipped: ${withoutDefinition}`;
}

function several(count: number, word: string): string {
  return `${count} ${word}${count > 1 ? 's' : ''}`;
}
