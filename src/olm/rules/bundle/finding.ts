import { formatPath, type Path } from '../../../text/documents/index.js';
import { type Finding, foundAt } from '../../../rule/index.js';
import type { Part } from './bundle.js';

type At = Pick<Part<unknown>, 'document' | 'path'>;

/** Without a part it is about the bundle as a whole. */
export function locate(finding: Finding, part?: At, ...below: Path): Finding {
  if (part === undefined) return finding;
  return { ...placeIn(finding, part, ...below), path: formatPath([...part.path, ...below]) };
}

/** Leaves the finding the path that it has. */
export function placeIn(finding: Finding, { document, path }: At, ...below: Path): Finding {
  return { ...finding, [foundAt]: { document, keys: [...path, ...below] } };
}
