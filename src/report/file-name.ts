/** Names of files as reports link them. */
import { renderedMark } from '../repository/index.js';
import type { Place } from '../text/documents/index.js';

/** A file of a commit stands for the one in the working tree; of a rendered template only the file is known. */
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
