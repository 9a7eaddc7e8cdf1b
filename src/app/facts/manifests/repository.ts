/** The repository that a source belongs to: a folder with `.git`, the source itself, or a commit. */
import { realpath, stat } from 'node:fs/promises';
import { dirname, join, parse, posix, relative, resolve, sep } from 'node:path';
import { InvalidInputError } from '../../../text/documents/index.js';
import { walkFolder } from '../../../text/documents/folder-walk.js';
import { openCommit, readBlobs, type CommitTree } from '../../../text/documents/git.js';
import { answerOf } from '../../../text/documents/git-process.js';
import { topOfRepository } from '../../../text/documents/program.js';
import { readRegularFile } from '../../../text/documents/regular-file.js';
import { withCommitFolder } from './commit-folder.js';

/** Paths are from its top, without a `/` at either end; the top itself is empty. */
export interface Repository {
  /** The last parts of its remotes' addresses: `web` of `https://example.com/team/web.git`. */
  readonly names: ReadonlySet<string>;
  /** Of the source that it was opened for. */
  readonly path: string;
  /** How a path is named on the command line. */
  readonly sourceOf: (path: string) => string;
  /** Of a file that was named on the command line; it begins with `..` where that lies outside. */
  readonly pathOf: (file: string) => string;
  /** Every file of a folder and those in it that is not hidden. */
  readonly filesIn: (folder: string) => Promise<readonly string[]>;
  /** Without links on its way; undefined for what is not there, or lies outside by a link. */
  readonly withoutLinks: (path: string) => Promise<string | undefined>;
  /** Undefined as for `withoutLinks`. */
  readonly kindOf: (path: string) => Promise<'file' | 'folder' | undefined>;
  /** @throws InvalidInputError for a file that cannot be read */
  readonly read: (path: string) => Promise<Buffer>;
  /** Has `work` find these paths, and what kustomizations there refer to, in the file system. */
  readonly onDisk: <Result>(
    paths: readonly [string, ...string[]],
    work: (fileOf: (path: string) => string) => Promise<Result>,
  ) => Promise<Result>;
}

/**
 * @param source a folder or a file, or `git:REF:path`; it is there
 * @param isPart whether it may take in what lies beside it, where it is in no repository
 */
export async function repositoryOf(source: string, isPart: boolean): Promise<Repository> {
  return source.startsWith('git:') ? commitRepository(source) : diskRepository(source, isPart);
}

async function diskRepository(source: string, isPart: boolean): Promise<Repository> {
  const isFolder = (await stat(source)).isDirectory();
  const folder = isFolder ? source : dirname(source);
  const whole = topOfRepository(resolve(folder));
  const top = whole ?? (isPart ? parse(resolve(folder)).root : resolve(folder));
  const path = relative(top, resolve(folder)).replaceAll(sep, '/');
  const realTop = await realpath(top);
  // As the source was named, from wherever that is.
  const sourceOf = (each: string): string =>
    join(folder, relative(resolve(folder), join(top, each)));
  const withoutLinks = async (each: string): Promise<string | undefined> => {
    try {
      const way = relative(realTop, await realpath(sourceOf(each)));
      return way === '..' || way.startsWith(`..${sep}`) ? undefined : way.replaceAll(sep, '/');
    } catch {
      return undefined;
    }
  };
  return {
    names: await namesOf(whole, source),
    ...{ path, sourceOf },
    pathOf: (file) => relative(top, resolve(file)).replaceAll(sep, '/'),
    filesIn: async (each) => {
      if (each === '' && whole === undefined && isPart) {
        const message = 'is in no repository, all of which was asked for';
        throw new InvalidInputError('E_INPUT', message, { file: source });
      }
      const paths: string[] = [];
      const walk = walkFolder(sourceOf(each), { wants: () => true });
      for await (const found of walk) paths.push(posix.join(each, found.path));
      return paths;
    },
    withoutLinks,
    kindOf: async (each) => {
      try {
        if ((await withoutLinks(each)) === undefined) return undefined;
        const stats = await stat(sourceOf(each));
        return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : undefined;
      } catch {
        return undefined;
      }
    },
    read: (each) => readRegularFile(sourceOf(each)),
    onDisk: (_paths, work) => work(sourceOf),
  };
}

async function commitRepository(source: string): Promise<Repository> {
  const { path: named, isFolder, reference } = await openCommit(source);
  const whole: CommitTree = await openCommit(`git:${reference}:`);
  const path = isFolder ? named : named.split('/').slice(0, -1).join('/');
  const { entries } = whole;
  const folders = new Set([...entries.keys()].flatMap(foldersAround));
  const sourceOf = (each: string): string => `git:${reference}:${each}`;
  const kindOf = (each: string): 'file' | 'folder' | undefined => {
    const entry = entries.get(each);
    if (entry !== undefined) return entry.isLink ? undefined : 'file';
    return each === '' || folders.has(each) ? 'folder' : undefined;
  };
  return {
    names: await namesOf(topOfRepository(process.cwd()), source),
    ...{ path, sourceOf },
    pathOf: (file) => file.slice(file.startsWith(sourceOf('')) ? sourceOf('').length : 0),
    filesIn: (each) =>
      Promise.resolve(
        [...entries.keys()].filter((name) => each === '' || name.startsWith(`${each}/`)),
      ),
    withoutLinks: (each) => Promise.resolve(kindOf(each) === undefined ? undefined : each),
    kindOf: (each) => Promise.resolve(kindOf(each)),
    read: async (each) => {
      const file = sourceOf(each);
      const entry = entries.get(each);
      if (entry === undefined || entry.isLink) {
        throw new InvalidInputError('E_INPUT', 'there is no such file in that commit', { file });
      }
      const [bytes] = await readBlobs(file, [{ file, entry }]);
      return bytes ?? Buffer.alloc(0);
    },
    onDisk: ([first, ...more], work) =>
      withCommitFolder(sourceOf(first), (_folder, top) => work((each) => join(top, each)), more),
  };
}

/** None where this is not the repository around the working directory, which alone is asked. */
async function namesOf(top: string | undefined, source: string): Promise<ReadonlySet<string>> {
  if (top === undefined || topOfRepository(process.cwd()) !== top) return new Set();
  try {
    const argv = ['config', '--get-regexp', '^remote\\..*\\.url$'];
    const { code, output } = await answerOf(source, argv);
    const lines = code === 0 ? output.toString('utf8').split('\n').filter(Boolean) : [];
    return new Set(lines.map((line) => nameOfAddress(line.slice(line.indexOf(' ') + 1))));
  } catch (error) {
    // Without git nobody knows the remotes, and folders of these names have to do.
    if (error instanceof InvalidInputError) return new Set();
    throw error;
  }
}

/** Of a file, from the top of its repository on, which is empty. */
export function foldersAround(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))];
}

export function nameOfAddress(address: string): string {
  const path = address
    .trim()
    .replace(/[/\\]+$/, '')
    .replace(/\.git$/, '');
  return (/[^/:\\]*$/.exec(path)?.[0] ?? '').toLowerCase();
}
