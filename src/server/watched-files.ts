/** Notices when files change, also when Kubernetes swaps the `..data` link of a mounted volume. */
import { createHash } from 'node:crypto';
import { watch, type FSWatcher } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface FileWatch {
  close(): void;
}

export interface WatchOptions {
  /** Milliseconds between looks at the files, for file systems that report nothing. */
  readonly every?: number;
  /** Milliseconds to let a burst of writes settle. */
  readonly settle?: number;
}

/**
 * Calls `changed` after the contents of any of the files changed. What is compared is the contents,
 * so touching a file, or replacing it by the same, is no change. Never keeps the process alive.
 */
export async function watchFiles(
  paths: readonly string[],
  changed: () => void | Promise<void>,
  { every = 10_000, settle = 100 }: WatchOptions = {},
): Promise<FileWatch> {
  let seen = await fingerprint(paths);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const look = async (): Promise<void> => {
    const now = await fingerprint(paths);
    if (closed || now === seen) return;
    seen = now;
    await changed();
  };
  const soon = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), settle);
    timer.unref();
  };
  const watchers = [...new Set(paths.map(dirname))].flatMap((folder) => watchFolder(folder, soon));
  const poll = setInterval(soon, every);
  poll.unref();
  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function watchFolder(folder: string, changed: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, changed);
    // A folder that goes away is still looked at now and then.
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

async function fingerprint(paths: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const path of paths) {
    const contents = await readFile(path).catch(() => 'unreadable');
    hash.update(`${contents.length}:`).update(contents);
  }
  return hash.digest('hex');
}
