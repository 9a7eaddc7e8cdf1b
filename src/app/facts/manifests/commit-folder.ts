/** A folder of a commit, written out for programs that read files only. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { InvalidInputError } from '../../../text/documents/index.js';
import { openCommit, readBlobs, type CommitTree } from '../../../text/documents/git.js';
import { isKustomization, referencesOf } from './kustomization.js';
import { append } from '../../../text/long-lists.js';

const maxBytes = 64 * 1024 * 1024;

/**
 * Writes what is at `git:REF:path`, and what the kustomizations there refer to, into a folder of
 * its own for as long as `work` takes. Links are not written.
 *
 * @param more other paths to write, from the top of the repository
 * @param work called with the folder, and with the one that stands for the top of the repository
 * @throws InvalidInputError as `openCommit` does, and `E_LIMIT` past 64 MB
 */
export async function withCommitFolder<Result>(
  source: string,
  work: (folder: string, top: string) => Promise<Result>,
  more: readonly string[] = [],
): Promise<Result> {
  const top = await mkdtemp(join(tmpdir(), 'olm-guard-commit-'));
  try {
    const tree = await openCommit(source);
    const whole = await openCommit(`git:${tree.reference}:`);
    await writeClosure(source, [tree.path, ...more], whole, top);
    return await work(join(top, tree.path), top);
  } finally {
    await rm(top, { recursive: true, force: true });
  }
}

async function writeClosure(
  source: string,
  paths: readonly string[],
  { entries }: CommitTree,
  top: string,
): Promise<void> {
  const written = new Set<string>();
  let size = 0;
  for (let wanted = [...paths]; wanted.length > 0;) {
    const found = [...entries].filter(
      ([name, { isLink }]) =>
        !isLink &&
        !written.has(name) &&
        wanted.some((each) => each === '' || name === each || name.startsWith(`${each}/`)),
    );
    size += found.reduce((sum, [, entry]) => sum + entry.size, 0);
    if (size > maxBytes) {
      const message = `is more than ${maxBytes} bytes with all that it refers to`;
      throw new InvalidInputError('E_LIMIT', message, { file: source });
    }
    const contents = await readBlobs(
      source,
      found.map(([file, entry]) => ({ file, entry })),
    );
    wanted = [];
    for (const [index, [name]] of found.entries()) {
      const bytes = contents[index] ?? Buffer.alloc(0);
      written.add(name);
      await mkdir(dirname(join(top, name)), { recursive: true });
      await writeFile(join(top, name), bytes);
      if (isKustomization(posix.basename(name))) append(wanted, referencesOf(name, bytes).all);
    }
    wanted = wanted.map((name) => name.replace(/\/$/, ''));
  }
}
