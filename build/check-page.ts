/** The page that judges what is pasted into it, in the browser alone: site/check with its libraries. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { forBrowsers } from './bundle.mjs';

const root = join(import.meta.dirname, '..');
const site = join(root, 'site');
const source = join(site, 'check');

/** The packages of the site, where they are not there yet. */
export function installSite(): void {
  if (existsSync(join(site, 'node_modules'))) return;
  runInSite('npm', ['ci', '--no-audit', '--no-fund']);
}

/** Types are checked on the way: lint does not have the site's packages. */
export async function buildCheckPage(folder: string): Promise<void> {
  runInSite('npx', ['tsc', '-p', join(source, 'tsconfig.json')]);
  mkdirSync(folder, { recursive: true });
  for (const file of ['index.html', 'style.css']) cpSync(join(source, file), join(folder, file));
  await build({
    ...forBrowsers({ outdir: folder, splitting: false, legalComments: 'eof' }),
    entryPoints: ['page', 'worker'].map((name) => join(source, `${name}.ts`)),
    define: { examples: JSON.stringify(examples()) },
  });
}

function examples(): object[] {
  const read = (file: string): string => readFileSync(join(root, 'examples', file), 'utf8');
  const old = read('cluster/customresourcedefinition-samples.yaml');
  return readdirSync(join(root, 'examples', 'upgrades')).map((file) => ({
    name: basename(file, '.yaml').replaceAll('-', ' '),
    ...{ old, new: read(`upgrades/${file}`), objects: read('objects/samples.yaml') },
  }));
}

/** @throws Error where the program ends with another code than 0 */
export function runInSite(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: site, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
