/** Notices when anything in a folder, or in one file, changes. */
import { watch, type FSWatcher } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface FolderWatch {
  close(): void;
}

export interface FolderWatchOptions {
  /** Milliseconds between looks at the files, for file systems that report nothing. */
  readonly every?: number;
  /** Milliseconds to let a burst of writes settle. */
  readonly settle?: number;
  /** Which files count, by their paths in the folder; YAML and JSON files when not given. */
  readonly files?: RegExp;
}

const manifestName = /\.(?:ya?ml|json)$/i;

/** Calls `changed` after files came, went or changed. Never keeps the process alive. */
export async function watchFolder(
  folder: string,
  changed: () => Promise<void>,
  { every = 10_000, settle = 200, files = manifestName }: FolderWatchOptions = {},
): Promise<FolderWatch> {
  let seen = await fingerprint(folder, files);
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return soon();
    looking = true;
    try {
      const now = await fingerprint(folder, files);
      if (closed || now === seen) return;
      seen = now;
      await changed();
    } finally {
      looking = false;
    }
  };
  const soon = (): void => {
    // One that waits already is not put off: a folder that never rests is looked at all the same.
    timer ??= setTimeout(() => {
      timer = undefined;
      void look();
    }, settle).unref();
  };
  const watcher = watchTree(folder, soon);
  const poll = setInterval(soon, every);
  poll.unref();
  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
      clearInterval(poll);
      watcher?.close();
    },
  };
}

function watchTree(folder: string, changed: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false, recursive: true }, changed);
    // A folder that goes away is still looked at now and then.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** Names, sizes and times; what cannot be read has a fingerprint too. */
async function fingerprint(root: string, files: RegExp): Promise<string> {
  const names = await readdir(root, { recursive: true }).catch(() => undefined);
  if (names === undefined) return timeOf(root);
  const lines = await Promise.all(
    names
      .filter((name) => files.test(name))
      .sort()
      .map(async (name) => `${name} ${await timeOf(join(root, name))}`),
  );
  return lines.join('\n');
}

async function timeOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  // The times of folders say no more than the names in them.
  return stats?.isFile() === true ? `${stats.size} ${stats.mtimeMs}` : '';
}
