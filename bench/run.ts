/**
 * Runs the benchmarks one after the other: `npm run bench`, or `npm run bench -- reviews objects`
 * for some of them. Each prints ratios against its stated limits; none of them is a test. What they
 * measured beside a limit goes into docs/performance.md and its history.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performancePage, withMeasures, type History } from './history.js';
import { measuresFile, type Measure } from './measure.js';

const folder = import.meta.dirname;
/** A benchmark says in its first lines what it measures; files beside them are their parts. */
const benchmarks = readdirSync(folder)
  // The soak takes ten minutes and measures faults, not ratios: npm run soak.
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts' && file !== 'soak.ts')
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

const kept = mkdtempSync(join(tmpdir(), 'olm-guard-measures-'));
const measures = join(kept, 'measures');

/** After each benchmark: a run that is ended early keeps what it has measured. */
function keepMeasures(): void {
  if (!existsSync(measures)) return;
  const lines = readFileSync(measures, 'utf8').split('\n').filter(Boolean);
  const file = join(folder, 'history.json');
  const history = withMeasures(
    JSON.parse(readFileSync(file, 'utf8')) as History,
    new Date().toISOString().slice(0, 10),
    lines.map((line) => JSON.parse(line) as Measure),
  );
  writeFileSync(file, `${JSON.stringify(history, null, 2)}\n`);
  const page = join(folder, '..', 'docs', 'performance.md');
  writeFileSync(page, performancePage(readFileSync(page, 'utf8'), history));
}

let failed = 0;
for (const name of wanted.length > 0 ? wanted : benchmarks) {
  process.stdout.write(`\n## ${name}\n\n`);
  const { status } = spawnSync(
    process.execPath,
    ['--expose-gc', '--import', 'tsx', join(folder, `${name}.ts`)],
    { stdio: 'inherit', env: { ...process.env, [measuresFile]: measures } },
  );
  if (status !== 0) failed++;
  keepMeasures();
}
rmSync(kept, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;
