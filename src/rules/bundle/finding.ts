/** What a check of a bundle says, and where. */
import { formatPath, type Document, type Path } from '../../text/documents/index.js';
import { docsFor, type ExplainedRule, type Finding } from '../../finding.js';
import type { Part } from './bundle.js';

export interface BundleFinding {
  readonly finding: Finding;
  /** Undefined for what is about the bundle as a whole. */
  readonly spot: Spot | undefined;
  /** What the proof found out about it, in one sentence. */
  readonly proof?: string | undefined;
}

export interface Spot {
  readonly document: Document;
  readonly keys: Path;
}

export function say(
  { name, family, severity }: ExplainedRule,
  message: string,
  part?: Pick<Part<unknown>, 'document' | 'path'>,
  ...below: Path
): BundleFinding {
  const spot = part === undefined ? undefined : spotIn(part, ...below);
  return {
    finding: {
      rule: name,
      family,
      severity,
      message,
      ...(spot === undefined ? {} : { path: formatPath(spot.keys) }),
      docs: docsFor(name),
    },
    spot,
  };
}

export function spotIn(
  { document, path }: Pick<Part<unknown>, 'document' | 'path'>,
  ...below: Path
): Spot {
  return { document, keys: [...path, ...below] };
}
