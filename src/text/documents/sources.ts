/** Where documents come from: a file, a folder, standard input, a commit. */
import { stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { InvalidInputError, invalidInput, defaultLimits } from './error.js';
import { walkFolder, type SkippedEntry } from './folder-walk.js';
import { readFromGit } from './git.js';
import { readRegularFile, tooLarge, unreadable, type SourceFile } from './regular-file.js';

export interface SourceOptions {
  readonly stdin?: AsyncIterable<Buffer | string>;
  /** The real path that every file is at or below when it is opened, see `openRegularFile`. */
  readonly within?: string;
  readonly onSkipped?: (entry: SkippedEntry) => void;
  /** Called with each file of a folder that cannot be read; without it the first one ends the reading. */
  readonly onUnreadable?: (error: InvalidInputError) => void;
}

/** The kind of files that a folder is read for. */
export const manifestName = /\.(?:ya?ml|json)$|^Kustomization$/i;

/**
 * Reads everything that a source names, in the order of file names.
 *
 * @param source a file, a folder (every .yaml, .yml and .json in it), `-` for standard input, or
 *   `git:REF:path` from the repository around the working directory
 * @throws InvalidInputError `E_INPUT` when there is nothing to read, `E_LIMIT` past a limit
 */
export async function readSource(
  source: string,
  options: SourceOptions = {},
): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for await (const file of eachSourceFile(source, options)) found.push(file);
  return found;
}

/** The same, one by one: a folder may hold more than fits into memory. */
export async function* eachSourceFile(
  source: string,
  { stdin = process.stdin, within, onSkipped, onUnreadable }: SourceOptions = {},
): AsyncGenerator<SourceFile> {
  if (source === '-') {
    if (stdin === process.stdin && process.stdin.readableEnded) throw readTwice();
    yield await readStream(stdin);
  } else if (source.startsWith('git:')) {
    yield* await readFromGit(source, (name) => manifestName.test(name), {
      onSkipped,
      onUnreadable,
    });
  } else {
    for await (const file of filesOf(source, manifestName, { onSkipped, onUnreadable })) {
      const path = file === source ? '' : relative(source, file).replaceAll(sep, '/');
      const bytes = await readRegularFile(file, undefined, within).catch((error: unknown) => {
        if (path === '' || onUnreadable === undefined) throw error;
        if (!(error instanceof InvalidInputError)) throw error;
        onUnreadable(error);
      });
      if (bytes !== undefined) yield { file, path, bytes };
    }
  }
}

/** The file, or those of the folder. @throws InvalidInputError for what cannot be read, without `onUnreadable` */
export async function* filesOf(
  source: string,
  wanted: RegExp,
  { onSkipped, onUnreadable }: Pick<SourceOptions, 'onSkipped' | 'onUnreadable'> = {},
): AsyncGenerator<string> {
  if (!(await isFolder(source))) {
    yield source;
    return;
  }
  const wants = (name: string): boolean => wanted.test(name);
  for await (const { file, refusal } of walkFolder(source, {
    wants,
    onSkipped,
  })) {
    if (refusal === undefined) {
      yield file;
      continue;
    }
    const error = invalidInput(refusal, { file });
    if (onUnreadable === undefined) throw error;
    onUnreadable(error);
  }
}

async function readStream(stdin: AsyncIterable<Buffer | string>): Promise<SourceFile> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stdin) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    size += bytes.length;
    if (size > defaultLimits.maxBytes) throw tooLarge('-', size, defaultLimits.maxBytes);
    pieces.push(bytes);
  }
  if (size === 0) {
    throw invalidInput('standard input is empty: pipe something into it', {
      file: '-',
    });
  }
  return { file: '-', path: '', bytes: Buffer.concat(pieces) };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw unreadable(path, error);
  }
}

function readTwice(): InvalidInputError {
  const message = 'standard input was read already; name a file for one of the two';
  return invalidInput(message, { file: '-' });
}
