/** Files of a folder that are not read by the rule for every folder: reported once, on standard error. */
import { firstNames } from '../../text/shortened.js';
import type { SkippedEntry } from '../../text/documents/folder-walk.js';
import { readSource } from '../../text/documents/sources.js';
import type { SourceFile } from '../../text/documents/regular-file.js';
import { type AppliedOptions, readManifests, type Manifests } from '../../repository/index.js';
import { printError } from '../output.js';
import { type NetworkOptions } from './flags.js';

const maxNamed = 5;

export function readManifestsWithWarnings(
  source: string,
  { network }: NetworkOptions,
): Promise<Manifests> {
  return reportSkipped((onSkipped) =>
    readManifests(source, {
      onSkipped,
      onNote: (sentence) => printError(`olm-guard: ${sentence}`),
      usesNetwork: network,
    }),
  );
}

/** Reads what a source names. @throws InvalidInputError as `readSource` does */
export function readSourceWithWarnings(source: string): Promise<SourceFile[]> {
  return reportSkipped((onSkipped) => readSource(source, { onSkipped }));
}

/** Says what was skipped when the work is done, and when it fails. */
export async function reportSkipped<Result>(
  work: (onSkipped: (entry: SkippedEntry) => void) => Promise<Result>,
): Promise<Result> {
  const skipped: SkippedEntry[] = [];
  try {
    return await work((entry) => skipped.push(entry));
  } finally {
    printSkipped(skipped);
  }
}

/** The same for what is read a piece at a time, with a sentence about what is read otherwise than applied. */
export async function* withWarnings<Piece>(
  read: (options: Pick<AppliedOptions, 'onSkipped' | 'onNote'>) => AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const skipped: SkippedEntry[] = [];
  try {
    yield* read({
      onSkipped: (entry) => skipped.push(entry),
      onNote: (sentence) => printError(`olm-guard: ${sentence}`),
    });
  } finally {
    printSkipped(skipped);
  }
}

/** In one line; nothing where nothing was skipped. */
export function printSkipped(skipped: readonly SkippedEntry[]): void {
  if (skipped.length > 0) printError(`olm-guard: skipped: ${describeSkipped(skipped)}`);
}

/** `a/.old (hidden), a/b (a link to a folder outside), and 3 more`. */
export function describeSkipped(skipped: readonly SkippedEntry[]): string {
  return firstNames(
    skipped.map(({ file, why }) => `${file} (${why})`),
    maxNamed,
  );
}
