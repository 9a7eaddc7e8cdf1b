/** Notices when anything in a folder, or in one file, changes. */
import { stat } from 'node:fs/promises';
import { walkFolder } from './folder-walk.js';
import { watchChanges, type ChangeWatch, type WatchTimes } from './changes.js';

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
