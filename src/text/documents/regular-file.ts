/** Pipes, sockets and devices are refused: what waits for a writer, or never ends, would hold up the command. */
import { constants, type Stats } from 'node:fs';
import { lstat, open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { InvalidInputError, invalidInput, defaultLimits } from './error.js';
import { isWithin } from './program.js';

export interface SourceFile {
  readonly file: string;
  /** From the folder that was named, with `/`; empty for what was named itself. */
  readonly path: string;
  readonly bytes: Buffer;
}

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_TRUNC, O_WRONLY } = constants;

/** @param within real path: what is opened has to be there, whatever became of the name @throws `E_INPUT` */
export async function openRegularFile(file: string, within?: string): Promise<FileHandle> {
  try {
    // Opening a device may do something already: it is looked at before, and again once it is open.
    demandRegular(file, await stat(file));
    const handle = await open(file, O_RDONLY | O_NONBLOCK);
    try {
      demandRegular(file, await handle.stat());
      if (within !== undefined) await demandWithin(file, handle, within);
      return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * @param maxBytes whatever the file system says @param within as for {@link openRegularFile} @throws `E_INPUT`,
 * `E_LIMIT`
 */
export async function readRegularFile(
  file: string,
  maxBytes = defaultLimits.maxBytes,
  within?: string,
): Promise<Buffer> {
  const handle = await openRegularFile(file, within);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) throw tooLarge(file, size, maxBytes);
    const pieces: Buffer[] = [];
    let read = 0;
    for await (const piece of handle.createReadStream({ end: maxBytes, autoClose: false })) {
      read += (piece as Buffer).length;
      pieces.push(piece as Buffer);
    }
    if (read > maxBytes) throw tooLarge(file, read, maxBytes);
    return Buffer.concat(pieces, read);
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    await handle.close();
  }
}

/**
 * A link is not followed: who put it there would choose what is overwritten. @throws InvalidInputError `E_INPUT`
 */
export async function writeRegularFile(file: string, text: string): Promise<void> {
  try {
    const stats = await lstat(file).catch(() => undefined);
    if (stats?.isSymbolicLink() === true) {
      throw refused(file, 'is a symbolic link, which is not written through; name the file itself');
    }
    if (stats !== undefined) demandRegular(file, stats);
    const handle = await open(file, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK);
    try {
      await handle.writeFile(text);
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = codeOf(error);
    throw code === undefined ? error : refused(file, `cannot be written (${code})`);
  }
}

async function demandWithin(file: string, handle: FileHandle, within: string): Promise<void> {
  const opened = await realpath(isLinux ? `/proc/self/fd/${handle.fd}` : file);
  // Elsewhere a name is all there is to ask; it may lead to another file again.
  const isOpened = isLinux || (await handle.stat()).ino === (await lstat(opened)).ino;
  if (isOpened && isWithin(within, opened)) return;
  throw refused(file, 'is a symbolic link that leads out of the folder; copy the file');
}

const isLinux = process.platform === 'linux';

/** Why this is no file, in words; undefined for a file. */
export function notRegular(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'is a folder; name a file';
  if (stats.isFIFO()) return 'is a pipe; write what comes out of it to a file, and name that';
  return stats.isSocket() ? 'is a socket; name a file' : 'is a device; name a file';
}

function demandRegular(file: string, stats: Stats): void {
  const reason = notRegular(stats);
  if (reason !== undefined) throw refused(file, reason);
}

/** Node's own words are about its arguments. */
export const noPath = 'is no path: a NUL is in it';

export const noSuchFile = 'there is no such file or folder';

/** @throws InvalidInputError */
export async function statOf(file: string): Promise<Stats> {
  try {
    return await stat(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Turns the file system's error into a sentence; anything else goes on as it is. */
export function unreadable(file: string, error: unknown): unknown {
  if (file.includes('\0')) return refused(file, noPath);
  const code = codeOf(error);
  if (code === undefined) return error;
  const reasons = new Map([
    ['ENOENT', file === '' ? 'an empty name is given where a file or folder is read' : noSuchFile],
    ['EACCES', 'may not be read by this user'],
    ['EPERM', 'may not be read by this user'],
    ['ELOOP', 'is a symbolic link that leads back to itself'],
    ['EISDIR', 'is a folder; name a file'],
  ]);
  return refused(file, reasons.get(code) ?? `cannot be read (${code})`);
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined;
  return String(error.code);
}

function refused(file: string, reason: string): InvalidInputError {
  return invalidInput(reason, { file });
}

export function tooLarge(file: string, size: number, most: number): InvalidInputError {
  return new InvalidInputError('E_LIMIT', `is ${size} bytes or more; at most ${most} are read`, {
    file,
  });
}
