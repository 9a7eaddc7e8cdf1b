/** What a folder holds that is not read by the rule for every folder: said once, on standard error. */
import type { PassedOver } from '../../../text/documents/folder-walk.js';
import { readSource } from '../../../text/documents/sources.js';
import type { SourceFile } from '../../../text/documents/regular-file.js';
import type { AppliedOptions } from '../../facts/manifests/applied-files.js';
import { readManifests, type Manifests } from '../../facts/manifests/manifests.js';
import { printError } from '../output.js';

const maxNamed = 5;

/** Reads what a source stands for, rendered where it has to be. @throws InvalidInputError as `readManifests` does */
export function readManifestsWithWarnings(source: string): Promise<Manifests> {
  return reporter((onPassedOver) =>
    readManifests(source, {
      onPassedOver,
      onNote: (sentence) => printError(`olm-guard: ${sentence}`),
    }),
  );
}

/** Reads what a source names. @throws InvalidInputError as `readSource` does */
export function readTold(source: string): Promise<SourceFile[]> {
  return reporter((onPassedOver) => readSource(source, { onPassedOver }));
}

/** Says what was passed over when the work is done, and when it fails. */
export async function reporter<Result>(
  work: (onPassedOver: (entry: PassedOver) => void) => Promise<Result>,
): Promise<Result> {
  const passedOver: PassedOver[] = [];
  try {
    return await work((entry) => passedOver.push(entry));
  } finally {
    printSkipped(passedOver);
  }
}

/** The same for what is read a piece at a time, with a sentence about what is read otherwise than applied. */
export async function* withWarnings<Piece>(
  read: (options: Pick<AppliedOptions, 'onPassedOver' | 'onNote'>) => AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  const passedOver: PassedOver[] = [];
  try {
    yield* read({
      onPassedOver: (entry) => passedOver.push(entry),
      onNote: (sentence) => printError(`olm-guard: ${sentence}`),
    });
  } finally {
    printSkipped(passedOver);
  }
}

function printSkipped(passedOver: readonly PassedOver[]): void {
  if (passedOver.length > 0) printError(`olm-guard: passed over: ${describeSkipped(passedOver)}`);
}

/** `a/.old (hidden), a/b (a link to a folder outside), and 3 more`. */
export function describeSkipped(passedOver: readonly PassedOver[]): string {
  const named = passedOver.slice(0, maxNamed).map(({ file, why }) => `${file} (${why})`);
  const left = passedOver.length - named.length;
  return [...named, ...(left > 0 ? [`and ${left} more`] : [])].join(', ');
}
