/**
 * npm's `prepare`: builds dist/, also in the clone that npm makes of a commit (`npm install -g git+…`, which
 * pre-commit runs too). npm prepares that clone by `npm install`, to which it hands on `--global`: that
 * installs none of what the build needs, and puts a link to the clone, which npm is about to delete, in place of
 * the folder into which it then unpacks the package. So what the build needs is installed here, as the lock file
 * says, and the folder is put back.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, realpathSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

const cwd = join(import.meta.dirname, '..');
const { npm_execpath: npm, npm_config_global: isGlobal, npm_config_global_prefix } = process.env;
const { npm_config_prefix: prefix = npm_config_global_prefix } = process.env;

const run = (...args) =>
  // Whoever packs reads JSON from standard output.
  execFileSync(process.execPath, args, { cwd, stdio: ['ignore', 2, 2] });

if (!existsSync(join(cwd, 'node_modules', 'esbuild'))) {
  if (npm === undefined) throw new Error('dependencies are missing: run npm ci');
  const here = ['--global=false', '--location=project', '--include=dev', '--dry-run=false'];
  run(npm, 'ci', ...here, '--ignore-scripts', '--no-audit', '--no-fund');
}
run(join('build', 'bundle.mjs'));

// Where npm keeps packages below its prefix: on Windows without lib.
for (const folder of isGlobal === 'true' && prefix !== undefined ? ['lib', ''] : []) {
  const link = join(prefix, folder, 'node_modules', 'olm-guard');
  if (!isLink(link) || realpathSync(link) !== realpathSync(cwd)) continue;
  unlinkSync(link);
  mkdirSync(link);
}

function isLink(path) {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
