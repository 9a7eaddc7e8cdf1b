/**
 * The part of a repository that programs get to see: a copy of the files that they are to read.
 *
 * The author of a repository chooses its links, and may change them while it is read. The copy has the
 * files of the repository itself, and links between them; nothing that is elsewhere, and nothing of `.git`,
 * which may hold credentials.
 */
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, relative } from 'node:path';
import { InvalidInputError } from '../../text/documents/index.js';
import { digestOf } from './render.js';

const maxBytes = 256 * 1024 * 1024;
const maxFiles = 100_000;
/** Files that are open together. */
const atOnce = 100;
/** Programs that are started for one source, each within its own bounds. */
const mostRenderings = 5000;
/** After these the others of the same author are not tried. */
const mostPastBounds = 5;

/** Paths are from its top, without a `/` at either end; the top itself is empty. */
export interface CopiedRepository {
  /** How a path is named on the command line. */
  readonly sourceOf: (path: string) => string;
  /** Without links on its way; undefined for what is not there, or lies outside by a link. */
  readonly withoutLinks: (path: string) => Promise<string | undefined>;
  /** Undefined as for `withoutLinks`. */
  readonly kindOf: (path: string) => Promise<'file' | 'folder' | undefined>;
  /** @throws InvalidInputError for a file that cannot be read */
  readonly read: (path: string) => Promise<Buffer>;
  /** Entries of a folder without links on its way, and of those in it, hidden or not; links are listed as such. */
  readonly everythingIn: (folder: string) => Promise<readonly Entry[]>;
}

export interface Entry {
  readonly path: string;
  /** Whether it is a file, and neither a link nor a pipe, a socket or a device. */
  readonly isRegular: boolean;
}

export interface ReadPlace {
  readonly path: string;
  /** Without links on its way. */
  readonly real: string;
  readonly digest: string | undefined;
}

export class RepositoryCopy {
  #made: Promise<string> | undefined;
  readonly #placed = new Map<string, Promise<unknown>>();
  /** Bytes by the files that are read for programs, whether they are copied or not. */
  readonly #sizes = new Map<string, number>();
  readonly #digests = new Map<string, string>();
  #bytes = 0;
  #renderings = 0;
  #pastBounds = 0;

  constructor(private readonly repository: CopiedRepository) {}

  /**
   * Copies a file with the links on the way to it. @returns where it is @throws InvalidInputError for what is not in the repository
   */
  async place(path: string): Promise<string> {
    const { withoutLinks, kindOf, sourceOf } = this.repository;
    const top = await this.#top();
    const real = await withoutLinks(path);
    const kind = real === undefined ? undefined : await kindOf(real);
    if (real === undefined || kind === undefined) {
      const message = 'is no file or folder of the repository';
      throw new InvalidInputError('E_INPUT', message, { file: sourceOf(path) });
    }
    await this.#once(real, () =>
      kind === 'file' ? this.#copyFile(real) : mkdir(join(top, real), { recursive: true }),
    );
    await this.#linkTo(real, path);
    return join(top, path);
  }

  /** An empty file in place of one of which only the name counts. */
  async placeName(path: string): Promise<void> {
    const file = join(await this.#top(), path);
    await this.#once(path, async () => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, '');
    });
  }

  /**
   * Hidden files too, and what links lead to. @throws InvalidInputError for a link out of the repository, a pipe, a
   * device
   */
  async placeAll(path: string): Promise<string> {
    const folders = [path];
    for (const folder of folders) {
      const real = (await this.repository.withoutLinks(folder)) ?? folder;
      await this.place(folder);
      const entries = await this.repository.everythingIn(real);
      for (const { path: each, isRegular } of entries) {
        const target = isRegular ? each : await this.repository.withoutLinks(each);
        const kind = target === undefined ? undefined : await this.repository.kindOf(target);
        if (target === undefined || kind === undefined) {
          const held = posix.relative(real, each);
          const message = `holds ${held}, which is no file of the repository: it is not rendered`;
          throw new InvalidInputError('E_INPUT', message, {
            file: this.repository.sourceOf(folder),
          });
        }
        if (
          kind === 'folder' &&
          !folders.some(
            (other) => other === '' || target === other || target.startsWith(`${other}/`),
          )
        ) {
          folders.push(target);
        }
      }
      await this.eachOf(entries, (each) => this.place(each.path));
    }
    return join(await this.#top(), path);
  }

  /** Does the same with all of them, some at once. */
  async eachOf<Item>(
    items: readonly Item[],
    work: (item: Item) => Promise<unknown>,
  ): Promise<void> {
    for (let from = 0; from < items.length; from += atOnce) {
      await Promise.all(items.slice(from, from + atOnce).map(work));
    }
  }

  async emptyFolder(): Promise<string> {
    return mkdtemp(join(dirname(await this.#top()), 'made-'));
  }

  /** @throws InvalidInputError `E_LIMIT` where too many were started, or ended by a bound */
  countRendering(path: string): void {
    this.#renderings++;
    const why =
      this.#renderings > mostRenderings
        ? `${mostRenderings} folders were rendered before`
        : this.#pastBounds >= mostPastBounds
          ? `${mostPastBounds} renderings were ended before, each past a bound`
          : undefined;
    if (why === undefined) return;
    const file = this.repository.sourceOf(path);
    throw new InvalidInputError('E_LIMIT', `is not rendered: ${why}`, { file });
  }

  countPastBound(): void {
    this.#pastBounds++;
  }

  /** Another copy of the same repository, which nothing was placed in. */
  ofNothing(): RepositoryCopy {
    return new RepositoryCopy(this.repository);
  }

  async remove(): Promise<void> {
    const made = await this.#made;
    this.#made = undefined;
    for (const each of [this.#placed, this.#sizes, this.#digests]) each.clear();
    this.#bytes = 0;
    if (made === undefined) return;
    await rm(dirname(made), { recursive: true, force: true });
    tops.delete(dirname(made));
  }

  #top(): Promise<string> {
    return (this.#made ??= makeTop());
  }

  #once(path: string, work: () => Promise<unknown>): Promise<unknown> {
    const known = this.#placed.get(path) ?? work();
    this.#placed.set(path, known);
    return known;
  }

  async #copyFile(path: string): Promise<void> {
    const file = join(await this.#top(), path);
    const bytes = await this.repository.read(path);
    this.count(path, bytes.length);
    this.#digests.set(path, digestOf(bytes));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }

  /** Counts each file once. @throws InvalidInputError `E_LIMIT` for more than a copy may hold */
  count(path: string, bytes: number): void {
    const counted = this.#sizes.get(path) ?? 0;
    this.#sizes.set(path, Math.max(bytes, counted));
    this.#bytes += Math.max(bytes - counted, 0);
    const files = Math.max(this.#placed.size, this.#sizes.size);
    if (this.#bytes <= maxBytes && files <= maxFiles) return;
    const message = `is not copied for the program that renders it: with it there are more than ${maxBytes} bytes or ${maxFiles} files`;
    throw new InvalidInputError('E_LIMIT', message, { file: this.repository.sourceOf(path) });
  }

  /** Whether the path leads there still, and to these contents: its author may have changed them since. */
  async holds({ path, real, digest }: ReadPlace): Promise<boolean> {
    const top = await this.#top();
    const found = await realpath(join(top, path)).catch(() => undefined);
    return found === join(top, real) && digest === this.#digests.get(real);
  }

  /** Makes the links again by which `path` leads to `real`: what lies beside a folder depends on them. */
  async #linkTo(real: string, path: string): Promise<void> {
    const top = await this.#top();
    for (let left = path; left !== real;) {
      const { link, target } = await this.#firstLink(left);
      await this.#once(`${link}/`, async () => {
        const place = join(top, link);
        await mkdir(dirname(place), { recursive: true });
        await symlink(relative(dirname(place), join(top, target)) || '.', place);
      });
      left = posix.join(target, posix.relative(link, left));
    }
  }

  async #firstLink(path: string): Promise<{ readonly link: string; readonly target: string }> {
    const parts = path.split('/');
    for (const index of parts.keys()) {
      const link = parts.slice(0, index + 1).join('/');
      const target = await this.repository.withoutLinks(link);
      if (target !== undefined && target !== link) return { link, target };
    }
    const file = this.repository.sourceOf(path);
    throw new InvalidInputError('E_INPUT', 'has changed while it was read', { file });
  }
}

const tops = new Set<string>();
let isRemovedAtExit = false;

async function makeTop(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'olm-guard-copy-')));
  if (!isRemovedAtExit) {
    isRemovedAtExit = true;
    process.once('exit', () => {
      for (const each of tops) rmSync(each, { recursive: true, force: true });
    });
  }
  tops.add(folder);
  const top = join(folder, 'repository');
  await mkdir(top);
  return top;
}
