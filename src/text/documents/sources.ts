/** Where documents come from: a file, a folder, standard input, a commit. */
import type { Dirent, Stats } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidInputError } from './error.js';
import { readFromGit } from './git.js';
import { defaultLimits } from './limits.js';

/** One file's bytes under the name that a person would look for it. */
export interface SourceFile {
  readonly file: string;
  readonly bytes: Buffer;
}

const manifestName = /\.(?:ya?ml|json)$/i;

/**
 * Reads everything that a source names, in the order of file names.
 *
 * @param source a file, a folder (every .yaml, .yml and .json in it), `-` for standard input, or
 *   `git:REF:path` from the repository around the working directory
 * @throws InvalidInputError `E_INPUT` when there is nothing to read, `E_LIMIT` past a limit
 */
export async function readSource(
  source: string,
  stdin: AsyncIterable<Buffer | string> = process.stdin,
): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for await (const file of eachSourceFile(source, stdin)) found.push(file);
  return found;
}

/** The same, one by one: a folder may hold more than fits into memory. */
export async function* eachSourceFile(
  source: string,
  stdin: AsyncIterable<Buffer | string> = process.stdin,
): AsyncGenerator<SourceFile> {
  if (source === '-') {
    if (stdin === process.stdin && process.stdin.readableEnded) throw readTwice();
    yield await readStream(stdin);
  } else if (source.startsWith('git:')) {
    yield* await readFromGit(source, manifestName);
  } else {
    const stats = await statOf(source);
    if (!stats.isDirectory()) yield await readOne(source, stats);
    else
      for await (const file of walk(source, new Set()))
        yield await readOne(file, await statOf(file));
  }
}

async function readStream(stdin: AsyncIterable<Buffer | string>): Promise<SourceFile> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of stdin) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    size += bytes.length;
    if (size > defaultLimits.maxBytes) throw tooLarge('-', size);
    pieces.push(bytes);
  }
  return { file: '-', bytes: Buffer.concat(pieces) };
}

async function readOne(file: string, stats: Stats): Promise<SourceFile> {
  if (stats.size > defaultLimits.maxBytes) throw tooLarge(file, stats.size);
  try {
    return { file, bytes: await readFile(file) };
  } catch (error) {
    throw unreadable(file, error);
  }
}

async function statOf(path: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Files of a folder, following links, each real folder once: a link to a parent ends there. */
async function* walk(folder: string, seen: Set<string>): AsyncGenerator<string> {
  const real = await realpath(folder);
  if (seen.has(real)) return;
  seen.add(real);
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    const kind = entry.isSymbolicLink() ? await stat(path).catch(() => entry) : entry;
    if (kind.isDirectory()) {
      // .git and a mounted ConfigMap's ..data hold nothing that is not elsewhere too.
      if (!entry.name.startsWith('.')) yield* walk(path, seen);
    } else if (manifestName.test(entry.name)) {
      yield path;
    }
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    throw unreadable(folder, error);
  }
}

function readTwice(): InvalidInputError {
  const message = 'standard input was read already; name a file for one of the two';
  return new InvalidInputError('E_INPUT', message, { file: '-' });
}

function tooLarge(file: string, size: number): InvalidInputError {
  return new InvalidInputError(
    'E_LIMIT',
    `is ${size} bytes or more; at most ${defaultLimits.maxBytes} are read`,
    { file },
  );
}

/** Turns the file system's error into a sentence; anything else goes on as it is. */
export function unreadable(file: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  const reasons = new Map<unknown, string>([
    ['ENOENT', 'there is no such file or folder'],
    ['EACCES', 'may not be read by this user'],
    ['EPERM', 'may not be read by this user'],
    ['ELOOP', 'is a symbolic link that leads back to itself'],
    ['EISDIR', 'is a folder; name a file'],
  ]);
  const reason = reasons.get(error.code) ?? `cannot be read (${String(error.code)})`;
  return new InvalidInputError('E_INPUT', reason, { file });
}
