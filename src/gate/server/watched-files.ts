/** Notices when files change, also when Kubernetes swaps the `..data` link of a mounted volume. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { watchChanges, type ChangeWatch, type WatchTimes } from '../../text/documents/changes.js';
import { readRegularFile } from '../../text/documents/regular-file.js';

export type WatchOptions = Partial<WatchTimes>;

/** Compares contents: touching a file is no change. Never keeps the process alive. */
export function watchFiles(
  paths: readonly string[],
  changed: () => void | Promise<void>,
  { every = 10_000, settle = 100 }: WatchOptions = {},
): Promise<ChangeWatch> {
  return watchChanges({
    folders: [...new Set(paths.map(dirname))],
    recursive: false,
    fingerprint: () => fingerprint(paths),
    changed,
    every,
    settle,
  });
}

async function fingerprint(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const contents = await readRegularFile(path).catch(() => 'unreadable');
    hash.update(`${contents.length}:`).update(contents);
  }
  return hash.digest('hex');
}
