/**
 * Does a test notice when a rule denies what it should only warn of? Swaps `error` and `warning` in each
 * rule of src, one place at a time, runs the unit tests beside it and the registry's, and names the swaps
 * that pass them all.
 *
 *     npx tsx test/reference/severities.ts [PART-OF-A-PATH]
 *
 * Exit code 1 when a swap survives. The file is put back after each run, and when the script is stopped.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [part = ''] = process.argv.slice(2);
const root = join(import.meta.dirname, '..', '..');
const registry = 'src/policy/rules/registry.test.ts';
const literal = /\bseverity: '(error|warning)'/g;
const isTest = /\.test\.ts$|\/testing\/|\/testdata\//;

const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => join('src', file))
  .filter((file) => file.includes('/rules/') && file.endsWith('.ts'))
  .filter((file) => !isTest.test(file) && file.includes(part))
  .sort();

let swaps = 0;
let survived = 0;
for (const file of files) {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const putBack = (): void => writeFileSync(path, text);
  const stop = (): void => {
    putBack();
    process.exit(130);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  for (const { index, 0: found, 1: severity } of text.matchAll(literal)) {
    const swapped = found.replace(/'.*'/, severity === 'error' ? `'warning'` : `'error'`);
    swaps++;
    try {
      writeFileSync(path, text.slice(0, index) + swapped + text.slice(index + found.length));
      if (passes([registry]) && passes(testsBeside(file))) {
        const line = text.slice(0, index).split('\n').length;
        survived++;
        console.log(`${file}:${line}: ${swapped} passes`);
      }
    } finally {
      putBack();
    }
  }
  process.off('SIGINT', stop).off('SIGTERM', stop);
}
console.log(`${swaps} swaps, ${survived} survived`);
process.exit(survived === 0 ? 0 : 1);

function testsBeside(file: string): string[] {
  const folder = dirname(file);
  return readdirSync(join(root, folder), { encoding: 'utf8' })
    .filter((each) => each.endsWith('.test.ts'))
    .map((each) => join(folder, each));
}

function passes(tests: readonly string[]): boolean {
  if (tests.length === 0) return true;
  const { status } = spawnSync('npx', ['mocha', '--reporter', 'min', '--bail', ...tests], {
    cwd: root,
    stdio: 'ignore',
  });
  return status === 0;
}
