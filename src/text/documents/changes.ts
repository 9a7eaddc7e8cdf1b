/** Notices when something on disk changes: by events of the file system, and by looking now and then. */
import { watch, type FSWatcher } from 'node:fs';
import { stat } from 'node:fs/promises';
import { walkFolder } from './folder-walk.js';

export interface ChangeWatch {
  close(): void;
}

export interface WatchTimes {
  /** Milliseconds between looks, for file systems that report nothing. */
  readonly every: number;
  /** Milliseconds to let a burst of writes settle. */
  readonly settle: number;
}

export interface Watched extends WatchTimes {
  /** Folders that the file system reports about. */
  readonly folders: readonly string[];
  readonly recursive: boolean;
  /** Equal as long as nothing has changed. */
  readonly fingerprint: () => Promise<string>;
  readonly changed: () => void | Promise<void>;
}

/** Calls `changed`, one call at a time, after the fingerprint changed. Never keeps the process alive. */
export async function watchChanges({
  folders,
  recursive,
  fingerprint,
  changed,
  every,
  settle,
}: Watched): Promise<ChangeWatch> {
  let seen = await fingerprint();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking) return soon();
    looking = true;
    try {
      const now = await fingerprint();
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
  const watchers = folders.flatMap((folder) => watchOne(folder, recursive, soon));
  const poll = setInterval(soon, every).unref();
  return {
    close: () => {
      closed = true;
      clearTimeout(timer);
      clearInterval(poll);
      for (const watcher of watchers) watcher.close();
    },
  };
}

function watchOne(folder: string, recursive: boolean, changed: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false, recursive }, changed);
    // A folder that goes away is still looked at now and then.
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    return [];
  }
}

export interface FolderWatchOptions extends Partial<WatchTimes> {
  /** Which files count, by their names; YAML and JSON files when not given. */
  readonly files?: RegExp;
}

const manifestName = /\.(?:ya?ml|json)$/i;

/** Calls `changed` after files came, went or changed. Never keeps the process alive. */
export function watchFolder(
  folder: string,
  changed: () => Promise<void>,
  { every = 10_000, settle = 200, files = manifestName }: FolderWatchOptions = {},
): Promise<ChangeWatch> {
  return watchChanges({
    folders: [folder],
    recursive: true,
    fingerprint: () => fingerprint(folder, files),
    changed,
    every,
    settle,
  });
}

/** Names, sizes and times; what cannot be read has a fingerprint too. */
async function fingerprint(root: string, files: RegExp): Promise<string> {
  const wants = (name: string): boolean => files.test(name);
  const lines: string[] = [];
  try {
    for await (const { path, file } of walkFolder(root, { wants, wantsHidden: wants })) {
      lines.push(`${path} ${await timeOf(file)}`);
    }
  } catch {
    // A file, or a folder that is not there now.
    return timeOf(root);
  }
  return lines.join('\n');
}

async function timeOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  // The times of folders say no more than the names in them.
  return stats?.isFile() === true ? `${stats.size} ${stats.mtimeMs}` : '';
}
