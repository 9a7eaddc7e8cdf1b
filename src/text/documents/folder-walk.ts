/**
 * The files of a folder, by one rule for every command:
 *
 * - What begins with a dot is hidden, and passed over: `.git`, an editor's copies, and `..data` of a
 *   mounted ConfigMap, whose files have links of their own beside it.
 * - A link counts as what it leads to as long as that lies in the folder too, each real folder once.
 *   Whoever may write to the folder does not thereby choose what else is read: a file outside is
 *   refused, and a folder outside is passed over.
 */
import type { Dirent } from 'node:fs';
import { opendir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { InvalidInputError } from './error.js';
import { notRegular, unreadable } from './regular-file.js';

export interface FoundFile {
  /** The path from the folder, with `/`. */
  readonly path: string;
  /** The path by which it is opened, beginning with the folder as it was named. */
  readonly file: string;
  readonly size: number;
  /** Why it cannot be read, for whoever wants it. */
  readonly refusal?: string;
}

export interface PassedOver {
  readonly file: string;
  readonly why:
    | 'hidden'
    | 'a link to a folder outside'
    | "Helm's templates; name the chart itself"
    | 'an older bundle';
}

export interface WalkOptions {
  /** By the file's name. A hidden one is found only when it is wanted by its whole name. */
  readonly wants: (name: string) => boolean;
  /** Whether hidden files and folders are found like others. */
  readonly includesHidden?: boolean;
  /** Hidden files that the folder's format reads all the same. */
  readonly wantsHidden?: (name: string) => boolean;
  /** Default true; else a link to a folder is found as a file that is refused. */
  readonly followsFolders?: boolean;
  /** Told of what was passed over and could have been meant. */
  readonly onPassedOver?: (entry: PassedOver) => void;
}

const linkToFolder = 'is a symbolic link to a folder, which is not followed; remove it';
/** Entries of all folders together. */
const maxEntries = 1_000_000;

/**
 * In the order of names, folder by folder.
 *
 * @throws InvalidInputError `E_INPUT` for a folder that cannot be read, `E_LIMIT` for a huge one
 */
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
      options.onPassedOver?.({ file, why: 'a link to a folder outside' });
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

/** The last one first. */
async function entriesOf(
  root: string,
  folder: string,
  most: number,
  { wants, wantsHidden, includesHidden = false, onPassedOver }: WalkOptions,
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
      if (name.startsWith('.') && !includesHidden) {
        if (wantsHidden?.(name) === true && !dirent.isDirectory()) entries.push({ path, dirent });
        else if (isWorthSaying(dirent, wants)) {
          onPassedOver?.({ file: join(root, path), why: 'hidden' });
        }
      } else if (mayBeFolder(dirent) || wants(name)) {
        entries.push({ path, dirent });
      }
    }
  } catch (error) {
    throw unreadable(join(root, folder), error);
  }
  return { entries: entries.sort((a, b) => (a.path < b.path ? 1 : -1)), count };
}

function mayBeFolder(dirent: Dirent): boolean {
  return dirent.isDirectory() || dirent.isSymbolicLink();
}

/** Nobody means git's own folder, or the other side of a mounted volume's links. */
function isWorthSaying(dirent: Dirent, wants: (name: string) => boolean): boolean {
  const { name } = dirent;
  if (name === '.git' || name.startsWith('..')) return false;
  return dirent.isDirectory() || wants(name);
}

type Found =
  | { readonly kind: 'file'; readonly size: number; readonly refusal: string | undefined }
  | { readonly kind: 'folder'; readonly real: string }
  | { readonly kind: 'outside' };

/** What an entry that is no folder itself is, or leads to. */
async function lookAt(file: string, dirent: Dirent, realRoot: string): Promise<Found> {
  try {
    const stats = await stat(file);
    const target = dirent.isSymbolicLink() ? await realpath(file) : undefined;
    const isOutside = target !== undefined && !isWithin(target, realRoot);
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

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
}

async function real(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    throw unreadable(path, error);
  }
}
