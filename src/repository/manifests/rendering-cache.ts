/**
 * Output of programs, for renderings of the same bytes: in this process, and in the user's own cache folder.
 *
 * Names of entries are digests of all that a rendering reads, of its arguments and of the program, so that a
 * repository finds only what it holds itself. An entry that is not whole counts as none.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from '../../text/documents/cache-folder.js';
import { InvalidInputError } from '../../text/documents/index.js';
import { readRegularFile } from '../../text/documents/regular-file.js';
import { version } from '../../text/package.js';

const mostEntryBytes = 16 * 1024 * 1024;
const mostBytesHere = 64 * 1024 * 1024;
/** All entries in the folder together. */
const mostBytes = 256 * 1024 * 1024;
const mostEntries = 10_000;

/** @param parts texts of any content: where one ends and the next begins is part of the digest */
export function digestOf(...parts: readonly (string | Uint8Array)[]): string {
  const each = parts.map((part) => createHash('sha256').update(part).digest());
  return createHash('sha256').update(Buffer.concat(each)).digest('hex');
}

export class RenderingCache {
  readonly #here = new Map<string, Buffer>();
  #bytesHere = 0;
  /** Entries and bytes of the folder, counted before the first is added. */
  #kept: { entries: number; bytes: number } | undefined;
  #folder: string | undefined;
  /** On what the folder depends, asked for once. */
  #asked: string | undefined;

  /** None on CI: a pull request may run programs as the user whose later runs would read the folder. */
  get folder(): string | undefined {
    const { CI: isOnCi = '', OLM_GUARD_CACHE: chosen, XDG_CACHE_HOME: xdg = '' } = process.env;
    if (isOnCi !== '' && chosen === undefined) return undefined;
    const asked = [process.cwd(), xdg, chosen].join('\n');
    if (this.#asked !== asked) [this.#asked, this.#folder] = [asked, cacheFolder('rendered')];
    return this.#folder;
  }

  async find(key: string): Promise<Buffer | undefined> {
    const { folder } = this;
    const here = this.#here.get(key);
    if (here !== undefined || folder === undefined) return here;
    try {
      const content = await readRegularFile(join(folder, name(key)), mostEntryBytes, folder);
      const bytes = content.subarray(key.length);
      if (content.subarray(0, key.length).toString('latin1') !== digestOf(key, bytes)) return;
      this.#keepHere(key, bytes);
      return bytes;
    } catch (error) {
      if (error instanceof InvalidInputError) return undefined;
      throw error;
    }
  }

  async add(key: string, bytes: Buffer): Promise<void> {
    const { folder } = this;
    this.#keepHere(key, bytes);
    const size = key.length + bytes.length;
    if (folder === undefined || size > mostEntryBytes) return;
    const part = join(folder, `${randomUUID()}.part`);
    try {
      await this.#makeRoom(folder, size);
      const content = Buffer.concat([Buffer.from(digestOf(key, bytes)), bytes]);
      await writeFile(part, content, { flag: 'wx', mode: 0o600 });
      await rename(part, join(folder, name(key)));
    } catch {
      // For example, the disk is full: the next run renders again.
      await rm(part, { force: true }).catch(() => undefined);
    }
  }

  #keepHere(key: string, bytes: Buffer): void {
    this.#bytesHere += bytes.length;
    if (this.#bytesHere > mostBytesHere) {
      this.#here.clear();
      this.#bytesHere = bytes.length;
    }
    this.#here.set(key, bytes);
  }

  /** Removes the oldest half of what is there when it is full. */
  async #makeRoom(folder: string, size: number): Promise<void> {
    const kept = (this.#kept ??= await countIn(folder));
    kept.entries++;
    kept.bytes += size;
    if (kept.entries <= mostEntries && kept.bytes <= mostBytes) return;
    const files = (await readdir(folder)).map((each) => join(folder, each));
    const found = await Promise.all(
      files.map(async (file) => ({ file, time: (await stat(file)).mtimeMs })),
    );
    found.sort((one, other) => one.time - other.time);
    for (const { file } of found.slice(0, Math.ceil(found.length / 2))) await rm(file);
    this.#kept = undefined;
  }
}

async function countIn(folder: string): Promise<{ entries: number; bytes: number }> {
  const sizes = await Promise.all(
    (await readdir(folder)).map(async (each) => (await stat(join(folder, each))).size),
  );
  return { entries: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

/** Another version of olm-guard may render differently or write other entries. */
function name(key: string): string {
  return digestOf(version, key);
}
