/**
 * `npm run executable [FILE]`: olm-guard and Node in one file, for the platform that this runs on. It
 * is a kubectl plugin too, under the name kubectl-olm_guard.
 *
 * Node's single executable application runs one CommonJS file; the programs of threads are its assets.
 */
import { execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'postject';
import { common, programs } from './bundle.mjs';

const isMac = process.platform === 'darwin';
const platform = `${isMac ? 'darwin' : process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
const target =
  process.argv[2] ?? join(import.meta.dirname, '..', 'release', `olm-guard-${platform}`);

const folder = await mkdtemp(join(tmpdir(), 'olm-guard-executable-'));
try {
  await build({
    ...common,
    entryPoints: programs,
    outdir: folder,
    entryNames: '[name]',
    format: 'cjs',
    define: { 'import.meta.url': 'ownUrl', 'import.meta.dirname': 'ownFolder' },
    banner: {
      js: [
        "const ownUrl=require('node:url').pathToFileURL(process.execPath).href",
        "const ownFolder=require('node:path').dirname(process.execPath);",
      ].join(';'),
    },
  });
  const [main, ...threads] = programs.map((program) => basename(program).replace(/\.ts$/, '.js'));
  const config = join(folder, 'sea-config.json');
  const blob = join(folder, 'blob');
  const assets = Object.fromEntries(threads.map((name) => [name, join(folder, name)]));
  await writeFile(
    config,
    JSON.stringify({
      main: join(folder, main),
      output: blob,
      assets,
      useCodeCache: true,
      disableExperimentalSEAWarning: true,
    }),
  );
  execFileSync(process.execPath, ['--experimental-sea-config', config], { stdio: 'pipe' });

  await mkdir(dirname(target), { recursive: true });
  await rm(target, { force: true });
  await copyFile(process.execPath, target);
  await chmod(target, 0o755);
  // A changed file no longer has a valid signature, and macOS runs none that is not signed.
  if (isMac) execFileSync('codesign', ['--remove-signature', target]);
  await inject(target, 'NODE_SEA_BLOB', await readFile(blob), {
    sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
    ...(isMac ? { machoSegmentName: 'NODE_SEA' } : {}),
  });
  if (isMac) execFileSync('codesign', ['--sign', '-', target]);
  console.log(target);
} finally {
  await rm(folder, { recursive: true });
}
