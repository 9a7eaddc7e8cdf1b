/**
 * Runs the script that most commands share with the code that V8 compiled for it in an earlier run. Node's own
 * compile cache (Node 22 and later) keeps only what is compiled before a module runs, which is a small part.
 */
import { crc32 } from 'node:zlib';
import { lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { isMainThread } from 'node:worker_threads';
import { cacheFolder } from '../text/documents/cache-folder.js';
import { tuneV8 } from './v8-tuning.js';

/** The build wraps the script in this function of CommonJS. */
type Run = (
  require: (name: string) => unknown,
  module: { exports: object },
  load: Load,
  url: string,
  folder: string,
) => void;

type Load = (name: string) => Promise<unknown>;

/**
 * @param load imports a module by the name that the script has for it
 * @param modules are loaded already, and the script needs them before it ends
 * @returns the exports of the script
 */
export function runCompiled(
  url: string,
  load: Load,
  modules: Readonly<Record<string, unknown>>,
): object {
  const filename = fileURLToPath(url);
  const kept = keptFile(filename);
  const source = readFileSync(filename);
  const cachedData = kept === undefined ? undefined : tryRead(kept, source);
  const script = new Script(source.toString('latin1'), { filename, cachedData });
  const isKnown = cachedData !== undefined && script.cachedDataRejected !== true;
  if (kept !== undefined && !isKnown && isMainThread) {
    process.once('exit', () => {
      keep(kept, script, source);
    });
  }
  const ownRequire = createRequire(url);
  const module = { exports: {} };
  const run = script.runInThisContext() as Run;
  const get = (name: string): unknown => modules[name] ?? ownRequire(name);
  run(get, module, load, url, dirname(filename));
  return module.exports;
}

function keptFile(filename: string): string | undefined {
  if (process.env['NODE_DISABLE_COMPILE_CACHE'] === '1') return undefined;
  const folder = cacheFolder('compiled');
  // The tag tells V8's version and flags.
  return folder && join(folder, `${basename(filename, '.cjs')}-${cachedDataVersionTag()}`);
}

function tryRead(file: string, source: Buffer): Buffer | undefined {
  try {
    const kept = readFileSync(file);
    const compiled = kept.subarray(sealLength);
    return sealOf(source, compiled) === kept.readUInt32LE() ? compiled : undefined;
  } catch {
    return undefined;
  }
}

const sealLength = 8;

/** V8 compares no more than the length of the source: a lost block of a disk would run as something else. */
function sealOf(source: Buffer, compiled: Buffer): number {
  return crc32(compiled, crc32(source));
}

/** Called at the exit, when all that the run needed is compiled. */
function keep(file: string, script: Script, source: Buffer): void {
  tuneV8(false);
  // V8 refuses code that was compiled under other flags, and the next run begins with V8's own.
  if (!file.endsWith(`-${cachedDataVersionTag()}`)) return;
  const own = `${file}.${process.pid}`;
  try {
    const compiled = script.createCachedData();
    const seal = Buffer.alloc(sealLength);
    seal.writeUInt32LE(sealOf(source, compiled));
    writeFileSync(own, Buffer.concat([seal, compiled]), { mode: 0o600 });
    renameSync(own, file);
    removeOldBuilds(dirname(file));
  } catch {
    // The next run compiles it again.
  }
}

const longestKeptMs = 30 * 24 * 60 * 60 * 1000;
const ownName = /^joined-[0-9a-f]{16}-\d+(?:\.\d+)?$/;

/** Megabytes of each build, and what a run left that was ended while it wrote. */
function removeOldBuilds(folder: string): void {
  for (const name of readdirSync(folder).filter((each) => ownName.test(each))) {
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    const isOld = stats?.isFile() === true && Date.now() - stats.mtimeMs > longestKeptMs;
    if (isOld) rmSync(join(folder, name), { force: true });
  }
}
