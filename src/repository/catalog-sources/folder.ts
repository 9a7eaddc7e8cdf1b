/** Reads a catalog from a folder, file by file and large files piece by piece. */
import { join, relative, resolve } from 'node:path';
import {
  addFile,
  byWalk,
  CatalogBuilder,
  isIgnoreFile,
  loadCatalog,
  type LoadedCatalog,
  type LoadOptions,
} from '../../olm/index.js';
import { readIgnoreFiles } from '../../text/documents/ignore-files.js';
import { defaultLimits, InvalidInputError } from '../../text/documents/index.js';
import { readFromGit } from '../../text/documents/git.js';
import { addJsonStream, chunksOf } from './json-file.js';
import { walkFolder, type FoundFile, type SkippedEntry } from '../../text/documents/folder-walk.js';
import {
  openRegularFile,
  readRegularFile,
  statOf,
  tooLarge,
  unreadable,
} from '../../text/documents/regular-file.js';

export interface ReadOptions extends LoadOptions {
  /** Called as reading goes on, with bytes read so far and in all. */
  readonly onProgress?: (read: number, total: number) => void;
  readonly onSkipped?: (entry: SkippedEntry) => void;
  /** A file of it as it is in an editor, read last, in place of the one on disk if there is one. */
  readonly edited?: EditedFile;
  /** Bytes in all of which a folder is refused. */
  readonly maxBytes?: number;
}

export interface EditedFile {
  /** Absolute, or from the working directory. */
  readonly file: string;
  readonly text: string;
}

/** Places name files as a person would open them from here. @throws InvalidInputError `E_INPUT`, `E_LIMIT` */
export async function readCatalogFolder(
  root: string,
  options: ReadOptions = {},
): Promise<LoadedCatalog> {
  const files = await listFiles(root, options.onSkipped);
  const builder = new CatalogBuilder(options);
  const filesRead = files.map(({ path }) => path);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const { maxBytes = Infinity, edited } = options;
  if (total > maxBytes) throw tooLarge(root, total, maxBytes);
  let read = 0;
  const onBytes = (bytes: number): void => {
    read += bytes;
    options.onProgress?.(read, total);
  };
  try {
    for (const { path, size } of files) {
      const file = path === '' ? root : join(root, path);
      if (!(edited?.file !== undefined && resolve(file) === resolve(edited?.file)))
        await addOne(builder, file, size, onBytes);
    }
    if (edited !== undefined) addFile(builder, { path: edited.file, content: edited.text });
    return { catalog: builder.build(), filesRead };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    if (error.code === 'E_LIMIT' || error.code === 'E_INPUT') throw error;
    return { catalog: builder.build(), error, filesRead };
  }
}

/** @throws InvalidInputError as `readFromGit` does */
export async function readCatalogCommit(
  source: string,
  { onSkipped, ...options }: ReadOptions = {},
): Promise<LoadedCatalog> {
  const files = await readFromGit(source, () => true, {
    wantsHidden: isIgnoreFile,
    onSkipped,
  });
  const names = new Map(files.map(({ path, file }) => [path, file]));
  const read = files.map(({ path, bytes }) => ({ path, content: bytes }));
  return loadCatalog(read, options, (path) => names.get(path) ?? path);
}

async function addOne(
  builder: CatalogBuilder,
  file: string,
  size: number,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if (await addedAsJson(builder, file, onBytes)) return;
  if (size > defaultLimits.maxBytes) {
    throw new InvalidInputError(
      'E_LIMIT',
      `is ${size} bytes of YAML; at most ${defaultLimits.maxBytes} are read from one file`,
      { file },
    );
  }
  const content = await readRegularFile(file);
  addFile(builder, { path: file, content });
  onBytes(size);
}

async function addedAsJson(
  builder: CatalogBuilder,
  file: string,
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const handle = await openRegularFile(file);
  try {
    const start = Buffer.alloc(4096);
    const { bytesRead } = await handle.read(start, 0, 4096, 0);
    if (!/^\s*\{/.test(start.toString('latin1', 0, bytesRead))) return false;
    return (await addJsonStream(builder, chunksOf(handle), { file, onBytes })) === 'done';
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    await handle.close();
  }
}

/** Files that no ignore file leaves out, in the order of the walk. */
async function listFiles(
  root: string,
  onSkipped: ReadOptions['onSkipped'],
): Promise<Pick<FoundFile, 'path' | 'size'>[]> {
  const stats = await statOf(root);
  if (!stats.isDirectory()) return [{ path: '', size: stats.size }];
  const all: FoundFile[] = [];
  const skipped: SkippedEntry[] = [];
  for await (const file of walkFolder(root, {
    wants: () => true,
    wantsHidden: isIgnoreFile,
    // opm does not follow links to folders, and cannot read them.
    followsFolders: false,
    onSkipped: (entry) => skipped.push(entry),
  })) {
    all.push(file);
  }
  all.sort((a, b) => byWalk(a.path, b.path));
  const ignoreFiles: { path: string; content: string }[] = [];
  for (const { path, file } of all.filter((each) => isIgnoreFile(each.path))) {
    ignoreFiles.push({ path, content: (await readRegularFile(file)).toString('utf8') });
  }
  const ignored = readIgnoreFiles(ignoreFiles);
  for (const entry of skipped) {
    const path = relative(root, entry.file);
    if (!ignored(path) && !ignored(`${path}/inside`)) onSkipped?.(entry);
  }
  const wanted = all.filter(({ path }) => !isIgnoreFile(path) && !ignored(path));
  for (const { file, refusal } of wanted) {
    if (refusal === undefined) continue;
    throw new InvalidInputError('E_INPUT', `${refusal} (or name it in .indexignore)`, { file });
  }
  return wanted;
}
