/**
 * Keeps what Node 22 and later compile of the program in the user's own cache folder, for the next run.
 * Never in the folder for temporary files, Node's default: others may write there. Without a folder that
 * can be written nothing is kept. NODE_DISABLE_COMPILE_CACHE=1 switches it off.
 */
import module from 'node:module';
import { isSea } from 'node:sea';
import { cacheFolder } from '../text/documents/cache-folder.js';

const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };

// An executable brings its own.
if (enableCompileCache && !isSea() && process.env['NODE_COMPILE_CACHE'] === undefined) {
  const folder = cacheFolder('compiled');
  if (folder !== undefined) enableCompileCache(folder);
}
