/**
 * `npm test`: every suite in mocha processes of its own, one a core and at least three at a time;
 * those that only compute in a line of their own, which gets what processor time the others leave, and
 * those that only wait beside them all.
 * The last line is "N passed, N failed" over all of them. With names as arguments only those
 * suites (`npm test -- unit cluster`), or their parts (`npm test -- cluster:2`); with `--changed` only the
 * files that may see what changed since the branch left main (changed.ts). What a suite prints appears when it
 * is done; that of a single process as it runs. What failed is named once more at the end.
 *
 * Tests of suites with servers and browsers wait for other processes, which a loaded machine may
 * starve: the few of their files that failed run once more, alone, and that counts. Both are said.
 *
 * A suite that misses what it needs is skipped with one line; when CI is set that is a failure.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { changedFiles, testsSeeing } from './changed.js';
import type { FileResult, Results } from './reporter.js';
import { findSuites, testFiles, threatModelSuite, type Suite } from './suites.js';

const root = join(import.meta.dirname, '..');
/** Far above what any suite takes: ends one that hangs, so that the others still run. */
const suiteLimitMinutes = 30;
/** The slowest suites mostly wait for servers, so three processes share even two cores well. */
const processesAtATime = Math.max(3, availableParallelism());
/** Behind servers that others wait for, and not so far that a test comes to its limit of time. */
const computingPriority = 5;
const slowestNamed = 20;
const ci = !['', '0', 'false'].includes(process.env['CI'] ?? '');

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** What one mocha process runs. */
interface Part {
  readonly suite: Suite;
  readonly files: readonly string[];
  readonly title: string;
}

let interrupted = false;

/** A process without a result of its tests. */
function processResult(title: string, result: Partial<FileResult>): Results {
  return { [title]: { passes: 0, pending: 0, milliseconds: 0, failures: [], ...result } };
}

/** Suites and single tests that could not run, with what they need. */
const notRun = new Set<string>();

/** What suites need is prepared by one at a time: several need the same programs built. */
let preparing: Promise<unknown> = Promise.resolve();

async function runPart(part: Part, isOnlyOne: boolean): Promise<Results> {
  const { suite, title } = part;
  try {
    const missing = suite.needs.map((need) => need.missing()).find((what) => what !== undefined);
    if (missing !== undefined) {
      notRun.add(`${suite.name}, which needs ${missing}`);
      return processResult(title, ci ? { failures: [`needs ${missing}`] } : { pending: 1 });
    }
    const prepared = preparing.then(async () => {
      for (const need of suite.needs) await need.prepare?.();
    });
    preparing = prepared.catch(() => undefined);
    await prepared;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    console.log(`${suite.name}: ${message}`);
    return processResult(title, { failures: [message] });
  }
  return interrupted ? processResult(title, { pending: 1 }) : runMocha(part, isOnlyOne);
}

async function runMocha({ suite, files, title }: Part, isOnlyOne: boolean): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-test-'));
  const resultsFile = join(folder, 'results.json');
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
      // A large nursery is for what only computes: threads of servers have little memory of their own.
      ...(suite.isParallel
        ? ['--node-option=max-semi-space-size=64', '--parallel', '--jobs=2']
        : []),
      ...files,
    ],
    {
      cwd: root,
      stdio: ['ignore', output, output],
      env: { OLM_GUARD_SAMPLES: '8', ...process.env, OLM_GUARD_TEST_RESULTS: resultsFile },
    },
  );
  if (suite.isParallel && mocha.pid !== undefined) setPriority(mocha.pid, computingPriority);
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
    const text = readFileSync(outputFile, 'utf8');
    process.stdout.write(text);
    for (const [, needed = ''] of text.matchAll(/\bskipped[:,] (?:needs )?(.+)$/gm)) {
      notRun.add(`tests of ${suite.name}, which need ${needed}`);
    }
  }
  const results = readResults(resultsFile);
  rmSync(folder, { recursive: true, force: true });
  const isFailed = Object.values(results ?? {}).some(({ failures }) => failures.length > 0);
  // Mocha can fail without a failed test, for example when it finds no files.
  if (results === undefined || (exitCode !== 0 && !isFailed)) {
    const message = `mocha ended before its tests did (exit code ${exitCode})`;
    console.log(`${title}: ${message}`);
    return { ...results, ...processResult(title, { failures: [message] }) };
  }
  return results;
}

function readResults(file: string): Results | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Results;
  } catch {
    return undefined;
  }
}

const isForChanges = process.argv.includes('--changed');
const wanted = process.argv.slice(2).filter((name) => name !== '--changed');
const suites = [...findSuites(), ...(wanted.includes('threat-model') ? [threatModelSuite()] : [])];
/** A suite's name, or that of one of its parts. */
const namesOf = ({ name, parts }: Suite): string[] => [
  name,
  ...parts.map((_files, at) => `${name}:${at + 1}`),
];
const unknown = wanted.filter((name) => !suites.some((suite) => namesOf(suite).includes(name)));
if (unknown.length > 0) {
  console.error(
    `no such suite: ${unknown.join(', ')}; there are ${suites.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}

const isWanted = (name: string): boolean => wanted.length === 0 || wanted.includes(name);
const allParts = suites.flatMap((suite): Part[] =>
  suite.parts.flatMap((files, at) => {
    const [name = '', ...names] = namesOf(suite);
    if (!isWanted(name) && !isWanted(names[at] ?? '')) return [];
    const title = names.length === 1 ? name : `${name} ${at + 1}/${names.length}`;
    return [{ suite, files, title }];
  }),
);
const queue = isForChanges ? changedParts(allParts) : allParts;
const isOnlyOne = queue.length === 1;
const results: Results = {};
/** Files to run once more, alone: of which part, and what had failed. */
const again: { part: Part; file: string; failures: readonly string[] }[] = [];

/** Of each part the files that may see a change; says which these are, and what it leaves out. */
function changedParts(parts: readonly Part[]): Part[] {
  const changed = changedFiles(root);
  const all = [...testFiles('src'), ...testFiles('test')];
  const seeing = new Set(testsSeeing(changed, all, root));
  console.log(`${changed.length} files changed since main; these tests may see it:`);
  const isIn = ({ files }: Part, file: string): boolean =>
    files.some((each) => file === each || file.startsWith(each.replace('**/*.test.ts', '')));
  const chosen = parts.map((part) => {
    const files = all.filter((file) => isIn(part, file));
    const kept = files.filter((file) => seeing.has(file));
    console.log(`- ${part.title}, ${kept.length} of ${files.length}: ${kept.join(' ')}`);
    return { ...part, files: kept };
  });
  console.log('The others are left out; CI runs all.');
  return chosen.filter(({ files }) => files.length > 0);
}

async function runQueue(queue: Part[]): Promise<void> {
  for (let part = queue.shift(); part !== undefined && !interrupted; part = queue.shift()) {
    const ofPart = await runPart(part, isOnlyOne);
    Object.assign(results, ofPart);
    for (const [file, { failures }] of Object.entries(ofPart)) {
      if (failures.length > 0 && file.endsWith('.test.ts')) again.push({ part, file, failures });
    }
  }
}

const computing = queue.filter(({ suite }) => suite.isParallel);
const waiting = queue.filter(({ suite }) => suite.isWaiting);
const serving = queue.filter(({ suite }) => !suite.isParallel && !suite.isWaiting);
await Promise.all([
  ...Array.from({ length: processesAtATime }, () => runQueue(serving)),
  runQueue(computing),
  ...waiting.map((part) => runQueue([part])),
]);

// More than a few are no accident.
for (const { part, file, failures } of again.length > 8 ? [] : again) {
  if (interrupted) break;
  const title = `${file} once more, alone`;
  Object.assign(results, await runPart({ ...part, files: [file], title }, true));
  for (const failure of failures) console.log(`at first failed: ${file}: ${failure}`);
}

const all = Object.entries(results);
console.log();
const slowest = all.toSorted(([, one], [, other]) => other.milliseconds - one.milliseconds);
for (const [file, { milliseconds }] of slowest.slice(0, slowestNamed)) {
  console.log(`slow: ${file}: ${(milliseconds / 1000).toFixed(0)} s`);
}
for (const [file, { failures }] of all) {
  for (const failure of failures) console.log(`failed: ${file}: ${failure}`);
}
const sum = (count: (result: FileResult) => number): number =>
  all.reduce((so, [, result]) => so + count(result), 0);
const failed = sum(({ failures }) => failures.length);
const pending = sum((result) => result.pending);
const parts = [`${sum(({ passes }) => passes)} passed`, `${failed} failed`];
if (pending > 0) parts.push(`${pending} skipped`);
console.log(parts.join(', '));
for (const each of notRun) console.log(`not run: ${each}`);
process.exitCode = failed > 0 ? 1 : 0;
