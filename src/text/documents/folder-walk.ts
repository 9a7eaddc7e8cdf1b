/**
 * Lists the files of a folder, by one rule for every command:
 *
 * - Names that begin with a dot are hidden and skipped: `.git`, an editor's copies, and `..data` of a
 *   mounted ConfigMap, to whose files there are links beside it.
 * - Links are followed inside of the folder, to each real folder once. A link to a file outside is
 *   refused, and one to a folder outside is skipped: an author of the folder must not choose what else is
 *   read.
 */
import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { InvalidInputError } from './error.js';
import { isWithin } from './program.js';
import { notRegular, unreadable } from './regular-file.js';

export interface FoundFile {
  /** The path from the folder, with `/`. */
  readonly path: string;
  /** The path by which it is opened, beginning with the folder as it was named. */
  readonly file: string;
  readonly size: number;
  /** Why the file must not or cannot be read. */
  readonly refusal?: string;
}

export interface SkippedEntry {
  readonly file: string;
  readonly why:
    | 'hidden'
    | 'a link to a folder outside'
    | "Helm's templates; name the chart itself"
    | 'an older bundle'
    | 'a patch: it has no versions'
    | 'ignored by .sourceignore or spec.ignore'
    | 'no part of the kustomization or chart beside it';
}

export interface WalkOptions {
  readonly wants: (name: string) => boolean;
  readonly wantsHidden?: (name: string) => boolean;
  /** True by default; if false, a link to a folder is listed as a file that is refused. */
  readonly followsFolders?: boolean;
  /** Called for each entry that was skipped although the user may have meant it. */
  readonly onSkipped?: (entry: SkippedEntry) => void;
}

const linkToFolder = 'is a symbolic link to a folder, which is not followed; remove it';
/** Counts all folders together. */
const maxEntries = 1_000_000;

/** By name, folder by folder. @throws InvalidInputError `E_INPUT`, `E_LIMIT` for a huge folder */
export async function* walkFolder(root: string, options: WalkOptions): AsyncGenerator<FoundFile> {
  const realRoot = await real(root);
  const walked = new Set([realRoot]);
  let left = maxEntries;
  const pending: Entry[][] = [];
  const enter = async (path: string): Promise<void> => {
    const { entries, count } = await entriesOf(root, path, left, options);
    left -= count;
    pending.push(entries);
  };
  await enter('');
  for (let entries = pending.at(-1); entries !== undefined; entries = pending.at(-1)) {
    const entry = entries.pop();
    if (entry === undefined) {
      pending.pop();
      continue;
    }
    const { path, dirent } = entry;
    const file = join(root, path);
    if (dirent.isDirectory()) {
      const target = await real(file);
      if (!walked.has(target)) {
        walked.add(target);
        await enter(path);
      }
      continue;
    }
    const found = await lookAt(file, dirent, realRoot);
    const isWanted = options.wants(dirent.name) || options.wantsHidden?.(dirent.name) === true;
    if (found.kind === 'file') {
      const { size, refusal } = found;
      if (isWanted) yield { path, file, size, refusal };
    } else if (options.followsFolders === false) {
      if (isWanted) yield { path, file, size: 0, refusal: linkToFolder };
    } else if (found.kind === 'outside') {
      options.onSkipped?.({ file, why: 'a link to a folder outside' });
    } else if (!walked.has(found.real)) {
      walked.add(found.real);
      await enter(path);
    }
  }
}

/** Whether a path has a part that begins with a dot. */
export function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.'));
}

interface Entry {
  readonly path: string;
  readonly dirent: Dirent;
}

async function entriesOf(
  root: string,
  folder: string,
  most: number,
  { wants, wantsHidden, onSkipped }: WalkOptions,
): Promise<{ readonly entries: Entry[]; readonly count: number }> {
  const entries: Entry[] = [];
  let count = 0;
  try {
    for await (const dirent of await opendir(join(root, folder), { bufferSize: 256 })) {
      if (++count > most) {
        const message = `holds more than ${maxEntries} files and folders`;
        throw new InvalidInputError('E_LIMIT', message, { file: root });
      }
      const { name } = dirent;
      const path = folder === '' ? name : `${folder}/${name}`;
      if (name.startsWith('.')) {
        if (wantsHidden?.(name) === true && !dirent.isDirectory()) entries.push({ path, dirent });
        else if (isWorthSaying(dirent, wants)) {
          onSkipped?.({ file: join(root, path), why: 'hidden' });
        }
      } else if (dirent.isDirectory() || dirent.isSymbolicLink() || wants(name)) {
        entries.push({ path, dirent });
      }
    }
  } catch (error) {
    throw unreadable(join(root, folder), error);
  }
  return { entries: entries.sort((a, b) => (a.path < b.path ? 1 : -1)), count };
}

/** Whether to report a skipped hidden entry; not `.git`, nor the target of a mounted volume's links. */
function isWorthSaying(dirent: Dirent, wants: (name: string) => boolean): boolean {
  const { name } = dirent;
  if (name === '.git' || name.startsWith('..')) return false;
  return dirent.isDirectory() || wants(name);
}

type Found =
  | { readonly kind: 'file'; readonly size: number; readonly refusal: string | undefined }
  | { readonly kind: 'folder'; readonly real: string }
  | { readonly kind: 'outside' };

async function lookAt(file: string, dirent: Dirent, realRoot: string): Promise<Found> {
  try {
    const stats = await stat(file);
    const target = dirent.isSymbolicLink() ? await realpath(file) : undefined;
    const isOutside = target !== undefined && !isWithin(realRoot, target);
    if (target !== undefined && stats.isDirectory()) {
      return isOutside ? { kind: 'outside' } : { kind: 'folder', real: target };
    }
    const refusal = isOutside
      ? 'is a symbolic link that leads out of the folder; copy the file, or name it itself'
      : notRegular(stats);
    return { kind: 'file', size: stats.size, refusal };
  } catch (error) {
    const refusal = unreadable(file, error);
    if (!(refusal instanceof InvalidInputError)) throw error;
    return { kind: 'file', size: 0, refusal: refusal.message };
  }
}

async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
