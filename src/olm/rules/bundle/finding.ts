/** What a check of a bundle says, and where. */
import { formatPath, type Document, type Path } from '../../../text/documents/index.js';
import type { Finding } from '../../../rule/index.js';
import type { Part } from './bundle.js';

export interface BundleFinding {
  readonly finding: Finding;
  /** Undefined for what is about the bundle as a whole. */
  readonly spot: Spot | undefined;
}

export interface Spot {
  readonly document: Document;
  readonly keys: Path;
}

export function locate(
  finding: Finding,
  part?: Pick<Part<unknown>, 'document' | 'path'>,
  ...below: Path
): BundleFinding {
  if (part === undefined) return { finding, spot: undefined };
  const spot = spotIn(part, ...below);
  return { finding: { ...finding, path: formatPath(spot.keys) }, spot };
}

export function spotIn(
  { document, path }: Pick<Part<unknown>, 'document' | 'path'>,
  ...below: Path
): Spot {
  return { document, keys: [...path, ...below] };
}
