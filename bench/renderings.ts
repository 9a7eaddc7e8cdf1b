/**
 * `check objects .` in a repository of 100 kustomizations, beside the program that renders them when it is
 * started by hand for each, two at a time, in turns: `npm run build && npx tsx bench/renderings.ts [rounds]`.
 * First nothing is remembered, from start to end; then everything, in processor time.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { costOfCommand } from './command-cost.js';
import { writeKustomizations } from './kustomizations.js';
import { median, tell } from './measure.js';

const rounds = Number(process.argv[2] ?? 3);
const main = join(import.meta.dirname, '..', 'dist', 'main.js');
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
  } finally {
    rmSync(top, { recursive: true });
  }
}
