/**
 * Keeps what Node 22 and later compile of the program in the user's own cache folder, for the next run.
 * Never in the folder for temporary files, Node's default: others may write there. Without a folder that
 * can be written nothing is kept. NODE_DISABLE_COMPILE_CACHE=1 switches it off.
 */
import module from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { isSea } from 'node:sea';

const { enableCompileCache } = module as {
  enableCompileCache?: (folder: string) => unknown;
};

const { XDG_CACHE_HOME = '', NODE_COMPILE_CACHE: chosen } = process.env;
const caches = isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache');

// An executable brings its own.
if (!isSea() && chosen === undefined && isAbsolute(caches)) {
  enableCompileCache?.(join(caches, 'olm-guard', 'compiled'));
}
