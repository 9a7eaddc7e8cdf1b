/** Reads a catalog from a folder, file by file and large files piece by piece. */
import type { Dirent } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import {
  addFile,
  byWalk,
  CatalogBuilder,
  isIgnoreFile,
  readIgnoreFiles,
  type LoadedCatalog,
  type LoadOptions,
} from '../../catalogs/index.js';
import { defaultLimits, InvalidInputError } from '../../text/documents/index.js';
import { unreadable } from '../../text/documents/sources.js';
import { addJsonStream, chunksOf } from './json-file.js';

export interface ReadOptions extends LoadOptions {
  /** Called as reading goes on, with bytes read so far and in all. */
  readonly onProgress?: (read: number, total: number) => void;
}

interface FileOnDisk {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly size: number;
}

/**
 * Loads the catalog in a folder, or in a single file. Places in errors name files as a person would
 * open them from here.
 *
 * @throws InvalidInputError `E_INPUT` for what cannot be read, `E_LIMIT` for what is too large.
 */
export async function readCatalogFolder(
  root: string,
  options: ReadOptions = {},
): Promise<LoadedCatalog> {
  const files = await listFiles(root);
  const builder = new CatalogBuilder(options);
  const filesRead = files.map(({ path }) => path);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let read = 0;
  const onBytes = (bytes: number): void => {
    read += bytes;
    options.onProgress?.(read, total);
  };
  try {
    for (const file of files) await addOne(builder, root, file, onBytes);
    return { catalog: builder.build(), filesRead };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    if (error.code === 'E_LIMIT' || error.code === 'E_INPUT') throw error;
    return { catalog: builder.build(), error, filesRead };
  }
}

async function addOne(
  builder: CatalogBuilder,
  root: string,
  { path, size }: FileOnDisk,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const file = path === '' ? root : join(root, path);
  if (await addedAsJson(builder, file, onBytes)) return;
  if (size > defaultLimits.maxBytes) {
    throw new InvalidInputError(
      'E_LIMIT',
      `is ${size} bytes of YAML; at most ${defaultLimits.maxBytes} are read from one file`,
      { file },
    );
  }
  const content = await orUnreadable(file, () => readFile(file));
  addFile(builder, { path: file, content });
  onBytes(size);
}

async function addedAsJson(
  builder: CatalogBuilder,
  file: string,
  onBytes: (bytes: number) => void,
): Promise<boolean> {
  const handle = await orUnreadable(file, () => open(file));
  try {
    const start = Buffer.alloc(4096);
    const { bytesRead } = await orUnreadable(file, () => handle.read(start, 0, 4096, 0));
    if (!/^\s*\{/.test(start.toString('latin1', 0, bytesRead))) return false;
    return (await addJsonStream(builder, chunksOf(handle), { file, onBytes })) === 'done';
  } finally {
    await handle.close();
  }
}

/** Files that no ignore file leaves out, in the order of the walk. */
async function listFiles(root: string): Promise<FileOnDisk[]> {
  const stats = await orUnreadable(root, () => stat(root));
  if (stats.isFile()) return [{ path: '', size: stats.size }];
  if (!stats.isDirectory()) throw notAFile(root);
  const all = (await walk(root, root)).sort((a, b) => byWalk(a.path, b.path));
  const ignoreFiles = await Promise.all(
    all
      .filter(({ path }) => isIgnoreFile(path))
      .map(async ({ path }) => {
        const file = join(root, path);
        return { path, content: await orUnreadable(file, () => readFile(file, 'utf8')) };
      }),
  );
  const ignored = readIgnoreFiles(ignoreFiles);
  const wanted = all.filter(({ path }) => !isIgnoreFile(path) && !ignored(path));
  for (const { path, size } of wanted) if (size < 0) throw notAFile(join(root, path));
  return wanted;
}

/** Links to files are followed, links to folders are not, as `opm` has it: loops cannot happen. */
async function walk(root: string, folder: string): Promise<FileOnDisk[]> {
  const entries = await orUnreadable(folder, () => readdir(folder, { withFileTypes: true }));
  const found: FileOnDisk[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(root, path)));
    else
      found.push({
        path: relative(root, path).split(sep).join('/'),
        size: await sizeOf(entry, path),
      });
  }
  return found;
}

/** Negative for what is no file; it is an error only if it is not ignored. */
async function sizeOf(entry: Dirent, path: string): Promise<number> {
  if (!entry.isFile() && !entry.isSymbolicLink()) return -1;
  const stats = await orUnreadable(path, () => stat(path));
  return stats.isFile() ? stats.size : -1;
}

function notAFile(file: string): InvalidInputError {
  return new InvalidInputError(
    'E_INPUT',
    'is neither a file nor a folder (a link to a folder is not followed): remove it or name it in .indexignore',
    { file },
  );
}

async function orUnreadable<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw unreadable(file, error);
  }
}
