/** Names of files as reports link them. */
import { renderedMark } from '../repository/index.js';
import type { Place } from '../text/documents/index.js';

/**
 * The place in the working tree, its file empty for what lies in none: standard input and clusters.
 * A file of a commit stands for the same file in the working tree; of a template that was rendered
 * only the file is known, for its lines are others.
 */
export function linkOf(place: Place | undefined): Place {
  const { file, line, column } = place ?? {};
  if (file === undefined || file === '-' || file === '' || file.startsWith('cluster:')) return {};
  const inCommit = /^git:[^:]*:(.+)$/s.exec(file);
  const path = (inCommit?.[1] ?? file).replace(/^\.\//, '');
  if (path.endsWith(renderedMark)) return { file: path.slice(0, -renderedMark.length) };
  return {
    file: path,
    line,
    column,
  };
}
