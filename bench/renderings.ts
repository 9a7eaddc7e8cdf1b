/**
 * `check objects .` in a repository of 100 kustomizations, beside the program that renders them when it is
 * started by hand for each, two at a time, in turns: `npm run build && npx tsx bench/renderings.ts [rounds
 * CLONE...]`. First nothing is remembered, from start to end; then everything, in processor time. Of each
 * CLONE, a repository of Flux or Argo CD, the processor time of the command is set against that of the
 * programs alone that it starts: folders are rendered there with what the cluster adds to each.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { costOfCommand } from './command-cost.js';
import { writeKustomizations } from './kustomizations.js';
import { median, tell } from './measure.js';

const [times = '3', ...clones] = process.argv.slice(2);
const rounds = Number(times);
const root = join(import.meta.dirname, '..');
const main = join(root, 'dist', 'main.js');
const top = mkdtempSync(join(tmpdir(), 'olm-guard-renderings-'));
const repository = join(top, 'repository');
const cache = join(top, 'cache');

function secondsOf(command: string, args: readonly string[], input = ''): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(command, args, {
    input,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${String(stderr)}`);
  return (performance.now() - start) / 1000;
}

/** In place of a program: it writes down the processor time that the program takes. */
function writeTimed(name: string, folder: string, log: string): void {
  const file = String(spawnSync('which', [name], { encoding: 'utf8' }).stdout).trim();
  mkdirSync(folder);
  const timed = `{ time "${file}" "$@" 2>&3; } 3>&2 2>>"${log}"`;
  writeFileSync(join(folder, name), `#!/bin/bash\nTIMEFORMAT="%U %S"\n${timed}\n`, { mode: 0o755 });
}

function compareClone(clone: string, name: string): void {
  const log = join(top, 'times');
  const timed = join(top, 'timed');
  writeTimed(name, timed, log);
  process.chdir(clone);
  // Most clones have no definitions of their own.
  const definitions = join(root, 'examples', 'upgrades', 'field-removed.yaml');
  const check = [main, 'check', 'objects', '.', '--crds', definitions];
  const { PATH = '' } = process.env;
  const turns = Array.from({ length: rounds }, () => {
    rmSync(cache, { recursive: true, force: true });
    rmSync(log, { force: true });
    process.env['PATH'] = `${timed}${delimiter}${PATH}`;
    costOfCommand(check);
    process.env['PATH'] = PATH;
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    const programs = lines.flatMap((line) => line.split(' ').map(Number));
    // Without the shell around each program, which is none of the command's.
    rmSync(cache, { recursive: true, force: true });
    const first = costOfCommand(check) / 1000;
    const second = costOfCommand(check) / 1000;
    const alone = programs.reduce((sum, seconds) => sum + seconds, 0);
    return { first, alone, second, count: lines.length };
  });
  rmSync(timed, { recursive: true });
  const what = `check objects of ${basename(clone)}`;
  const alone = median(turns.map((turn) => turn.alone));
  console.log(`${what}: ${turns[0]?.count} programs, which take ${alone.toFixed(2)} s`);
  tell({
    what: `${what}, without a second, of its programs alone`,
    value: median(turns.map(({ first, alone: own }) => Math.max(first - 1, 0) / own)),
    ...{ unit: '×', limit: 2 },
  });
  tell({
    what: `${what}, unchanged since the last run`,
    value: median(turns.map(({ second }) => second)),
    ...{ unit: ' s', limit: 2 },
  });
}

const program = [['kustomize', 'build'] as const, ['kubectl', 'kustomize'] as const].find(
  ([name]) => spawnSync(name, ['version', '--client']).error === undefined,
);
if (program === undefined) console.log('not measured: neither kustomize nor kubectl is installed');
else {
  try {
    const overlays = writeKustomizations(repository, 100).join('\n');
    process.chdir(repository);
    process.env['OLM_GUARD_CACHE'] = cache;
    const check = [main, 'check', 'objects', '.'];
    const turns = Array.from({ length: rounds }, () => {
      const byHand = secondsOf('xargs', ['-P2', '-n1', ...program], overlays);
      rmSync(cache, { recursive: true, force: true });
      const first = secondsOf(process.execPath, check);
      return { byHand, first, second: costOfCommand(check) / 1000 };
    });
    const byHand = median(turns.map((turn) => turn.byHand));
    console.log(`${program.join(' ')} of 100 kustomizations by hand: ${byHand.toFixed(2)} s`);
    tell({
      what: 'check objects of 100 kustomizations, without a second, of the same by hand',
      value: median(turns.map(({ first, byHand: each }) => Math.max(first - 1, 0) / each)),
      ...{ unit: '×', limit: 2 },
    });
    tell({
      what: 'check objects of 100 kustomizations, unchanged since the last run',
      value: median(turns.map(({ second }) => second)),
      ...{ unit: ' s', limit: 2 },
    });
    for (const clone of clones.map((each) => resolve(root, each))) compareClone(clone, program[0]);
  } finally {
    rmSync(top, { recursive: true });
  }
}
