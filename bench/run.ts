/**
 * Runs the benchmarks one after the other: `npm run bench`, or `npm run bench -- reviews objects`
 * for some of them. Each prints ratios against its stated limits; none of them is a test.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
/** A benchmark says in its first lines what it measures; files beside them are their parts. */
const benchmarks = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .filter((file) => readFileSync(join(folder, file), 'utf8').includes('npx tsx bench/'))
  .map((file) => file.slice(0, -'.ts'.length))
  .sort();

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benchmarks.includes(name));
if (unknown.length > 0) {
  process.stderr.write(
    `there is no benchmark ${unknown.join(', ')}; there are ${benchmarks.join(', ')}\n`,
  );
  process.exit(2);
}

let failed = 0;
for (const name of wanted.length > 0 ? wanted : benchmarks) {
  process.stdout.write(`\n## ${name}\n\n`);
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', join(folder, `${name}.ts`)],
    { stdio: 'inherit' },
  );
  if (status !== 0) failed++;
}
process.exitCode = failed === 0 ? 0 : 1;
