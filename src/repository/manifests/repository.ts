/** The repository that a source belongs to: a folder with `.git`, the source itself, or a commit. */
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, parse, posix, relative, resolve, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { InvalidInputError } from '../../text/documents/index.js';
import { groupBy } from '../../text/group.js';
import { walkFolder } from '../../text/documents/folder-walk.js';
import {
  openCommit,
  readBlobs,
  type CommitEntry,
  type CommitTree,
} from '../../text/documents/git.js';
import { answerOf } from '../../text/documents/git-revision.js';
import { isWithin } from '../../text/documents/program.js';
import { topOfRepository } from '../../text/documents/top-of-repository.js';
import { readRegularFile, unreadable } from '../../text/documents/regular-file.js';
import { RepositoryCopy, type CopiedRepository, type Entry } from './repository-copy.js';

export interface Repository extends CopiedRepository {
  /** The last parts of its remotes' addresses: `web` of `https://example.com/team/web.git`. */
  readonly names: ReadonlySet<string>;
  readonly path: string;
  /** Of a file that was named on the command line; it begins with `..` where that lies outside. */
  readonly pathOf: (file: string) => string;
  /** Every file of a folder and those in it that is not hidden. */
  readonly filesIn: (folder: string) => Promise<readonly string[]>;
  readonly copy: RepositoryCopy;
  /** Whether they may fetch what it refers to. */
  readonly usesNetwork: boolean;
}

export interface RepositoryOptions {
  /** Whether the source may take in what lies beside it, where it is in no repository. */
  readonly isPart: boolean;
  readonly usesNetwork?: boolean | undefined;
}

/** @param source a folder or a file, or `git:REF:path`; it is there */
export async function repositoryOf(
  source: string,
  { isPart, usesNetwork = false }: RepositoryOptions,
): Promise<Repository> {
  const isCommit = source.startsWith('git:');
  const found = await (isCommit ? commitRepository(source) : diskRepository(source, isPart));
  return { ...found, copy: new RepositoryCopy(found), usesNetwork };
}

type FoundRepository = Omit<Repository, 'copy' | 'usesNetwork'>;

/** git's own folder, and what leads to it, are no part of a repository: credentials may be in it. */
function isOfGit(path: string): boolean {
  return path.split('/').some((part) => part.toLowerCase() === '.git');
}

async function diskRepository(source: string, isPart: boolean): Promise<FoundRepository> {
  const isFolder = (await stat(source)).isDirectory();
  const folder = isFolder ? source : dirname(source);
  const whole = topOfRepository(resolve(folder));
  const top = whole ?? (isPart ? parse(resolve(folder)).root : resolve(folder));
  const path = relative(top, resolve(folder)).replaceAll(sep, '/');
  const realTop = await realpath(top);
  // As the source was named, from wherever that is.
  const sourceOf = (each: string): string =>
    join(folder, relative(resolve(folder), join(top, each)));
  const realFolder = await realpath(folder);
  const withoutLinks = once(async (each: string): Promise<string | undefined> => {
    try {
      const real = await realpath(sourceOf(each));
      const isInside =
        whole === undefined && isPart
          ? await isReachable(real, resolve(folder), join(top, each), realFolder)
          : isWithin(realTop, real);
      const way = relative(realTop, real).replaceAll(sep, '/');
      return isInside && !isOfGit(way) ? way : undefined;
    } catch {
      return undefined;
    }
  });
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
    kindOf: once(async (each) => {
      try {
        if ((await withoutLinks(each)) === undefined) return undefined;
        const stats = await stat(sourceOf(each));
        return stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : undefined;
      } catch {
        return undefined;
      }
    }),
    read: once(async (each) => {
      const real = await withoutLinks(each);
      if (real === undefined) {
        const message = 'is a symbolic link that leads out of the repository, or is not there';
        throw new InvalidInputError('E_INPUT', message, { file: sourceOf(each) });
      }
      return readRegularFile(sourceOf(real), undefined, realTop);
    }, mostKept),
    everythingIn: (each) => entriesOf(sourceOf(each), each),
  };
}

/** Bytes of files that are kept for other kustomizations that take them in. */
const mostKept = 64 * 1024 * 1024;

/** Remembers the answer for each path. @param most bytes of remembered answers, which are forgotten beyond that */
function once<Answer>(
  ask: (path: string) => Promise<Answer>,
  most = Infinity,
): (path: string) => Promise<Answer> {
  const known = new Map<string, Promise<Answer>>();
  let size = 0;
  return (path) => {
    const answer =
      known.get(path) ??
      ask(path).then((found) => {
        size += Buffer.isBuffer(found) ? found.length : 0;
        if (size > most) {
          known.clear();
          size = 0;
        }
        return found;
      });
    known.set(path, answer);
    return answer;
  };
}

/** Plain paths may lead out of a folder in no repository, as to a base beside it; no link may. */
async function isReachable(
  real: string,
  folder: string,
  path: string,
  realFolder: string,
): Promise<boolean> {
  if (isWithin(folder, path)) return isWithin(realFolder, real);
  let shared = folder;
  while (!isWithin(shared, path)) shared = dirname(shared);
  return real === join(await realpath(shared), relative(shared, path));
}

const mostEntries = 1_000_000;

async function entriesOf(file: string, path: string): Promise<Entry[]> {
  const found: Entry[] = [];
  const folders = [{ file, path }];
  for (const folder of folders) {
    const entries = await readdir(folder.file, { withFileTypes: true }).catch((error: unknown) => {
      throw unreadable(folder.file, error);
    });
    for (const entry of entries) {
      const each = {
        file: join(folder.file, entry.name),
        path: posix.join(folder.path, entry.name),
      };
      if (isOfGit(entry.name)) continue;
      if (entry.isDirectory()) folders.push(each);
      else found.push({ path: each.path, isRegular: entry.isFile() });
      if (found.length + folders.length > mostEntries) {
        const message = `holds more than ${mostEntries} files and folders`;
        throw new InvalidInputError('E_LIMIT', message, { file });
      }
    }
  }
  return found;
}

async function commitRepository(source: string): Promise<FoundRepository> {
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
  const contentOf = blobReader(sourceOf, entries);
  const links = new Map<string, Promise<Buffer>>();
  const targetOf = async (link: string, entry: CommitEntry): Promise<string> => {
    const known = links.get(link) ?? contentOf(link, entry);
    links.set(link, known);
    return (await known).toString('utf8');
  };
  const withoutLinks = async (each: string): Promise<string | undefined> => {
    let path = each;
    for (let followed = 0; followed <= mostLinks; followed++) {
      if (isOfGit(path)) return undefined;
      const around = [...foldersAround(path), path];
      const link = around.find((name) => entries.get(name)?.isLink === true);
      const entry = link === undefined ? undefined : entries.get(link);
      if (link === undefined || entry === undefined) {
        return kindOf(path) === undefined ? undefined : path;
      }
      const target = await targetOf(link, entry);
      if (target.startsWith('/')) return undefined;
      path = posix.join(posix.dirname(link), target, posix.relative(link, path));
      path = path === '.' ? '' : path.replace(/\/$/, '');
    }
    return undefined;
  };
  return {
    names: await namesOf(topOfRepository(process.cwd()), source),
    ...{ path, sourceOf, withoutLinks },
    pathOf: (file) => file.slice(file.startsWith(sourceOf('')) ? sourceOf('').length : 0),
    filesIn: (each) =>
      Promise.resolve(
        [...entries.keys()].filter((name) => each === '' || name.startsWith(`${each}/`)),
      ),
    kindOf: async (each) => {
      const real = await withoutLinks(each);
      return real === undefined ? undefined : kindOf(real);
    },
    read: async (each) => {
      const file = sourceOf(each);
      const entry = entries.get((await withoutLinks(each)) ?? each);
      if (entry === undefined || entry.isLink) {
        throw new InvalidInputError('E_INPUT', 'there is no such file in that commit', { file });
      }
      return contentOf(each, entry);
    },
    everythingIn: (each) =>
      Promise.resolve(
        [...entries]
          .filter(([name]) => each === '' || name.startsWith(`${each}/`))
          .map(([name, { isLink }]) => ({ path: name, isRegular: !isLink })),
      ),
  };
}

/** Bytes that are read ahead at once, and twice as many are kept. */
const mostAhead = 16_000_000;

type Blobs = ReadonlyMap<string, Buffer>;

/** Reads blobs that are asked for at once by one process, once with those beside them, which are asked for next. */
function blobReader(
  sourceOf: (path: string) => string,
  entries: ReadonlyMap<string, CommitEntry>,
): (path: string, entry: CommitEntry) => Promise<Buffer> {
  const beside = groupBy(entries, ([path]) => posix.dirname(path));
  const kept = new Map<string, Buffer>();
  let size = 0;
  let wanted: [path: string, entry: CommitEntry][] = [];
  let batch: Promise<Blobs> | undefined;
  const read = async (asked: typeof wanted): Promise<Blobs> => {
    const files = asked.map(([path, entry]) => ({ file: sourceOf(path), entry }));
    const contents = await readBlobs(files[0]?.file ?? '', files);
    const found = new Map(contents.map((bytes, index) => [files[index]?.entry.blob ?? '', bytes]));
    for (const bytes of contents) size += bytes.length;
    if (size > 2 * mostAhead) {
      kept.clear();
      size = 0;
    }
    for (const [blob, bytes] of found) kept.set(blob, bytes);
    return found;
  };
  const readAhead = async (asked: typeof wanted): Promise<Blobs> => {
    let bytes = 0;
    const near = [...new Set(asked.map(([path]) => posix.dirname(path)))].flatMap((folder) => {
      const files = beside.get(folder) ?? [];
      beside.delete(folder);
      return files.filter((file) => (bytes += file[1].size) <= mostAhead);
    });
    // A file beside may be missing in a partial clone.
    return read([...new Map([...asked, ...near])]).catch(() => read(asked));
  };
  return async (path, entry) => {
    const known = kept.get(entry.blob);
    if (known !== undefined) return known;
    batch ??= setImmediate().then(() => {
      const asked = wanted;
      [wanted, batch] = [[], undefined];
      return readAhead(asked);
    });
    wanted.push([path, entry]);
    return (await batch).get(entry.blob) ?? Buffer.alloc(0);
  };
}

/** Same limit as in Linux. */
const mostLinks = 40;

/** None where this is not the repository around the working directory, which alone is asked. */
async function namesOf(top: string | undefined, source: string): Promise<ReadonlySet<string>> {
  if (top === undefined || topOfRepository(process.cwd()) !== top) return new Set();
  try {
    const argv = ['config', '--get-regexp', '^remote\\..*\\.url$'];
    const { code, output } = await answerOf(source, argv);
    const lines = code === 0 ? output.toString('utf8').split('\n').filter(Boolean) : [];
    return new Set(lines.map((line) => nameOfAddress(line.slice(line.indexOf(' ') + 1))));
  } catch (error) {
    // Without git the remotes are not known, and folders of these names have to do.
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
