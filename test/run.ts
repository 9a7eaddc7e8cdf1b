/**
 * `npm test`: every suite in mocha processes of its own, three at a time, and as the last line
 * "N passed, N failed" over all of them. With names as arguments only those suites
 * (`npm test -- unit cluster`). What a suite prints appears when it is done; that of a single
 * process as it runs.
 *
 * A suite that misses what it needs is skipped with one line; when CI is set that is a failure.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSuites, threatModelSuite, type Suite } from './suites.js';

interface Counts {
  passes: number;
  failures: number;
  pending: number;
}

const root = join(import.meta.dirname, '..');
/** Far above what any suite takes: ends one that hangs, so that the others still run. */
const suiteLimitMinutes = 30;
/** The slowest suites mostly wait for servers, so three processes share even two cores well. */
const processesAtATime = 3;
const ci = !['', '0', 'false'].includes(process.env['CI'] ?? '');

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What one mocha process runs. */
interface Part {
  readonly suite: Suite;
  readonly files: readonly string[];
  readonly title: string;
}

let interrupted = false;

const failed: Counts = { passes: 0, failures: 1, pending: 0 };
const skipped: Counts = { passes: 0, failures: 0, pending: 1 };

/** What suites need is prepared by one at a time: several need the same programs built. */
let preparing: Promise<unknown> = Promise.resolve();

async function runPart({ suite, files, title }: Part, isOnlyOne: boolean): Promise<Counts> {
  try {
    const missing = suite.needs.map((need) => need.missing()).find((what) => what !== undefined);
    if (missing !== undefined) {
      console.log(`${suite.name}: ${ci ? 'cannot run' : 'skipped'}, needs ${missing}`);
      return ci ? failed : skipped;
    }
    const prepared = preparing.then(async () => {
      for (const need of suite.needs) await need.prepare?.();
    });
    preparing = prepared.catch(() => undefined);
    await prepared;
  } catch (error) {
    console.log(`${suite.name}: ${error instanceof Error ? error.message : String(error)}`);
    return failed;
  }
  return interrupted ? skipped : runMocha({ suite, files, title }, isOnlyOne);
}

async function runMocha({ suite, files, title }: Part, isOnlyOne: boolean): Promise<Counts> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-test-'));
  const countsFile = join(folder, 'counts.json');
  const outputFile = join(folder, 'output');
  const output = isOnlyOne ? 'inherit' : openSync(outputFile, 'a');
  const started = performance.now();
  const mocha = spawn(
    process.execPath,
    [
      join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
      `--reporter=${join('test', 'reporter.ts')}`,
      // Servers a failed test left behind must not hold up the next suite.
      '--exit',
      ...(suite.isParallel ? ['--parallel', '--jobs=2'] : []),
      ...files,
    ],
    {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { ...process.env, OLM_GUARD_TEST_COUNTS: countsFile },
    },
  );
  // Of all signals mocha's launcher passes only this one on to the process that runs the tests,
  // which must get it to end the servers it started.
  const stop = (): void => {
    mocha.kill('SIGINT');
  };
  const interrupt = (): void => {
    interrupted = true;
    stop();
  };
  for (const signal of endingSignals) process.once(signal, interrupt);
  const limit = setTimeout(() => {
    console.log(`${title}: not finished after ${suiteLimitMinutes} minutes`);
    stop();
  }, suiteLimitMinutes * 60_000);
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    mocha.once('error', reject);
    mocha.once('exit', resolve);
  });
  clearTimeout(limit);
  for (const signal of endingSignals) process.off(signal, interrupt);
  console.log(`\n== ${title}, ${((performance.now() - started) / 60_000).toFixed(1)} minutes`);
  if (output !== 'inherit') {
    closeSync(output);
    process.stdout.write(readFileSync(outputFile));
  }
  const counts = readCounts(countsFile);
  rmSync(folder, { recursive: true, force: true });
  if (counts === undefined) {
    console.log(`${title}: mocha ended before its tests did (exit code ${exitCode})`);
    return failed;
  }
  // Mocha can fail without a failed test, for example when it finds no files.
  return exitCode === 0 || counts.failures > 0 ? counts : { ...counts, failures: 1 };
}

function readCounts(file: string): Counts | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Counts;
  } catch {
    return undefined;
  }
}

const wanted = process.argv.slice(2);
const suites = [...findSuites(), ...(wanted.includes('threat-model') ? [threatModelSuite()] : [])];
const unknown = wanted.filter((name) => !suites.some((suite) => suite.name === name));
if (unknown.length > 0) {
  console.error(
    `no such suite: ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const chosen = suites.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const queue = chosen.flatMap((suite): Part[] =>
  suite.parts.map((files, at) => ({
    ...{ suite, files },
    title: suite.parts.length === 1 ? suite.name : `${suite.name} ${at + 1}/${suite.parts.length}`,
  })),
);
const isOnlyOne = queue.length === 1;
const total: Counts = { passes: 0, failures: 0, pending: 0 };

async function runQueue(): Promise<void> {
  for (let part = queue.shift(); part !== undefined && !interrupted; part = queue.shift()) {
    const counts = await runPart(part, isOnlyOne);
    total.passes += counts.passes;
    total.failures += counts.failures;
    total.pending += counts.pending;
  }
}

await Promise.all(Array.from({ length: processesAtATime }, runQueue));

const parts = [`${total.passes} passed`, `${total.failures} failed`];
if (total.pending > 0) parts.push(`${total.pending} skipped`);
console.log(`\n${parts.join(', ')}`);
process.exitCode = total.failures > 0 ? 1 : 0;
