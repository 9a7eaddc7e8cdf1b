/** Names of files as reports link them. */
import type { Place } from '../../text/documents/index.js';

/**
 * The path of a place's file in the working tree, or undefined for what lies in no file: standard
 * input and clusters. A file of a commit stands for the same file in the working tree.
 */
export function fileOf(place: Place | undefined): string | undefined {
  const file = place?.file;
  if (file === undefined || file === '-' || file === '' || file.startsWith('cluster:')) {
    return undefined;
  }
  const inCommit = /^git:[^:]*:(.+)$/s.exec(file);
  return (inCommit?.[1] ?? file).replace(/^\.\//, '');
}
