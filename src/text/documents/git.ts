/** Files as they are in a commit of the repository around the working directory. */
import { posix, relative, sep } from 'node:path';
import { InvalidInputError, invalidInput, defaultLimits } from './error.js';
import { isHidden, type SkippedEntry } from './folder-walk.js';
import {
  git,
  maxOutput,
  notFetched,
  top,
  notWritten,
  partsOf,
  resolve,
  startOf,
} from './git-revision.js';
import { tooLarge, type SourceFile } from './regular-file.js';

/** The files at `REF:path`. */
export interface CommitTree {
  readonly reference: string;
  /** From the top of the repository, without a `/` at either end; empty for the whole of it. */
  readonly path: string;
  readonly isFolder: boolean;
  /** Every file at or below `path`, by its path from the top of the repository. */
  readonly entries: ReadonlyMap<string, CommitEntry>;
}

export interface CommitEntry {
  readonly blob: string;
  readonly size: number;
  readonly isLink: boolean;
}

/** The commit is there, and has nothing of that name. */
export class NotInCommitError extends InvalidInputError {}

/**
 * Looks `git:REF:path` up: from the top of the repository, as git reads it, and where nothing is
 * there, from the working directory.
 *
 * @param source REF may end in `...`, see {@link startOfBranch}
 * @throws NotInCommitError when the commit has no such path
 * @throws InvalidInputError `E_INPUT` when there is no such commit here, or more than one
 */
export async function openCommit(source: string): Promise<CommitTree> {
  const { reference, path } = partsOf(source);
  if (path === undefined) throw notWritten(source);
  const commit = (await startOf(source, reference)).commit;
  const folder = relative(top(source), process.cwd()).split(sep).join('/');
  const fromTop = trimmed(path);
  const fromHere = trimmed(posix.join(folder, path));
  for (const candidate of /^\.\.?(\/|$)/.test(path) ? [fromHere] : [fromTop, fromHere]) {
    const entries = await list(source, commit, candidate);
    if (entries.size === 0 && candidate !== '') continue;
    return { reference, path: candidate, isFolder: !entries.has(candidate), entries };
  }
  throw new NotInCommitError('E_INPUT', `git: ${reference} has nothing of that name`, {
    file: source,
  });
}

async function isCommit(reference: string): Promise<boolean> {
  return resolve(reference, reference).then(
    (found) => found !== undefined,
    () => false,
  );
}

/** ` (did you mean "git:main:config/crd"?)` of what lacks its `git:`, or nothing. */
export async function meantCommit(source: string, path = ':PATH'): Promise<string> {
  const [reference = ''] = source.split(':');
  if (reference === '' || source.startsWith('git:') || !(await isCommit(reference))) return '';
  return ` (did you mean "git:${source}${source.includes(':') ? '' : path}"?)`;
}

/** @throws InvalidInputError as {@link openCommit} does, and for links that lead out of the folder */
export async function readFromGit(
  source: string,
  wants: (name: string) => boolean,
  { onSkipped, onUnreadable, wantsHidden = () => false }: GitReadOptions = {},
): Promise<SourceFile[]> {
  const tree = await openCommit(source);
  const found: { file: string; path: string; entry: CommitEntry }[] = [];
  const hidden = new Set<string>();
  for (const [whole, entry] of tree.entries) {
    const path = tree.isFolder ? posix.relative(tree.path, whole) : '';
    const name = posix.basename(whole);
    const file = path === '' ? source : inCommit(tree, path);
    if (tree.isFolder && isHidden(path) && !wantsHidden(name)) {
      const shown = hiddenPart(path);
      if (!shown.startsWith('.git') && (shown !== path || wants(name))) hidden.add(shown);
      continue;
    }
    if (tree.isFolder && !wants(name) && !wantsHidden(name)) continue;
    try {
      const real = entry.isLink ? await linked(tree, whole, entry, file) : entry;
      if (real === undefined) continue;
      demandSize(file, real);
      found.push({ file, path, entry: real });
    } catch (error) {
      if (path === '' || onUnreadable === undefined) throw error;
      if (!(error instanceof InvalidInputError)) throw error;
      onUnreadable(error);
    }
  }
  for (const path of hidden) {
    onSkipped?.({ file: inCommit(tree, path), why: 'hidden' });
  }
  const contents = await readBlobs(source, found);
  return found.map(({ file, path }, index) => ({
    file,
    path,
    bytes: contents[index] ?? Buffer.alloc(0),
  }));
}

export interface GitReadOptions {
  readonly onSkipped?: (entry: SkippedEntry) => void;
  /** Told of each file of a folder that cannot be read; without it the first one ends the reading. */
  readonly onUnreadable?: (error: InvalidInputError) => void;
  readonly wantsHidden?: (name: string) => boolean;
}

/** The contents of blobs, by one process. @throws InvalidInputError `E_LIMIT` for one too large */
export async function readBlobs(
  source: string,
  wanted: readonly { readonly file: string; readonly entry: CommitEntry }[],
): Promise<Buffer[]> {
  for (const { file, entry } of wanted) demandSize(file, entry);
  if (wanted.length === 0) return [];
  const size = wanted.reduce((sum, { entry }) => sum + entry.size, 0);
  if (size > maxOutput) throw tooLarge(source, size, maxOutput);
  const asked = wanted.map(({ entry }) => `${entry.blob}\n`).join('');
  const answer = await git(source, ['cat-file', '--batch'], asked);
  let at = 0;
  return wanted.map(({ file, entry }) => {
    const start = answer.indexOf('\n', at) + 1;
    const head = answer.toString('latin1', at, start).trimEnd();
    if (head !== `${entry.blob} blob ${entry.size}`) {
      throw invalidInput(notFetched, { file });
    }
    at = start + entry.size + 1;
    return answer.subarray(start, start + entry.size);
  });
}

function demandSize(file: string, { size }: CommitEntry): void {
  if (size > defaultLimits.maxBytes) throw tooLarge(file, size, defaultLimits.maxBytes);
}

async function list(
  source: string,
  commit: string,
  path: string,
): Promise<ReadonlyMap<string, CommitEntry>> {
  const argv = ['ls-tree', '-r', '-z', '-l', '--full-tree', commit];
  const answer = await git(source, path === '' ? argv : [...argv, '--', path]);
  const entries = new Map<string, CommitEntry>();
  for (const line of answer.toString('utf8').split('\0')) {
    const [, mode, blob, size, name] = /^(\d+) blob (\w+) +(\S+)\t(.*)$/s.exec(line) ?? [];
    if (blob === undefined || name === undefined) continue;
    entries.set(name, { blob, size: Number(size), isLink: mode === '120000' });
  }
  return entries;
}

/** The file that a link leads to; nothing for a folder, which is read under its own name. */
async function linked(
  { entries }: CommitTree,
  link: string,
  entry: CommitEntry,
  file: string,
): Promise<CommitEntry | undefined> {
  const [text] = await readBlobs(file, [{ file, entry }]);
  const path = trimmed(posix.join(posix.dirname(link), (text ?? '').toString()));
  const found = entries.get(path);
  if (found !== undefined && !found.isLink) return found;
  if ([...entries.keys()].some((name) => name.startsWith(`${path}/`))) return undefined;
  const message =
    'is a symbolic link to no file of the folder in that commit; name the file itself';
  throw invalidInput(message, { file });
}

/** From the top of the repository, whichever folder was named from where. */
function inCommit({ reference, path: folder }: CommitTree, path: string): string {
  return `git:${reference}:${folder === '' ? path : `${folder}/${path}`}`;
}

/** `a/.b` of `a/.b/c/d`. */
function hiddenPart(path: string): string {
  const parts = path.split('/');
  return parts.slice(0, parts.findIndex((part) => part.startsWith('.')) + 1).join('/');
}

function trimmed(path: string): string {
  const normal = posix.normalize(path === '' ? '.' : path).replace(/^\/+|\/+$/g, '');
  return normal === '.' ? '' : normal;
}
