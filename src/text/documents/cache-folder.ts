/** Cache folders of this user. */
import { existsSync, lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { topOfRepository } from './top-of-repository.js';

/**
 * A folder below `$OLM_GUARD_CACHE`, else below `olm-guard` in the user's cache folder. It is created.
 *
 * @returns undefined if OLM_GUARD_CACHE is empty, or the folder cannot be created, is behind a link, is in the
 *   working directory or its repository (a branch may contain it), or can be written to or replaced by other
 *   users (they would choose the answers that this user gets)
 */
export function cacheFolder(name: string): string | undefined {
  const { XDG_CACHE_HOME: xdg = '', OLM_GUARD_CACHE: chosen } = process.env;
  const caches = isAbsolute(xdg) ? xdg : join(homedir(), '.cache');
  const base = chosen ?? join(caches, 'olm-guard');
  if (!isAbsolute(base)) return undefined;
  try {
    const cwd = process.cwd();
    // The checked folder may be a copy without .git, but neither the whole disk nor all of a home.
    const checked = topOfRepository(cwd) ?? ([homedir(), dirname(cwd)].includes(cwd) ? '' : cwd);
    const isChecked = (path: string): boolean =>
      checked !== '' && path.startsWith(`${checked}${sep}`);
    const folder = join(base, name);
    // A home that is not there is not made.
    const isHomeless = chosen === undefined && !existsSync(dirname(caches));
    if (isChecked(folder) || isHomeless) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const real = join(realpathSync(dirname(base)), basename(base), name);
    return !isChecked(real) && realpathSync(folder) === real && isClosed(real) ? real : undefined;
  } catch {
    return undefined;
  }
}

/** Whether only this user and root can change what is at a real path. */
function isClosed(folder: string): boolean {
  const user = process.geteuid?.();
  // On Windows the profile's own rights apply.
  if (user === undefined) return true;
  for (let path = folder; ; path = dirname(path)) {
    const { uid, mode } = lstatSync(path);
    // Other users cannot replace this user's files in a sticky folder such as /tmp.
    const isSticky = path !== folder && (mode & 0o1000) !== 0;
    if ((uid !== user && uid !== 0) || ((mode & 0o022) !== 0 && !isSticky)) return false;
    if (path === dirname(path)) return true;
  }
}
