/**
 * How long resolution takes, against stated limits: `npx tsx bench/resolve.ts [case]`.
 * Each case runs in a process of its own, on catalogs loaded once, after two rounds of warming up. Prints
 * the median of processor time, because machines are shared, its limit and their ratio, and the peak
 * memory; exits 1 when a limit is passed.
 */
import { spawnSync } from 'node:child_process';
import { explain, loadCatalogs, resolve, type NamespaceState } from '../src/resolver/index.js';
import { denseNamespace, layeredNamespace } from './resolve-namespaces.js';

interface Case {
  readonly name: string;
  readonly state: () => NamespaceState;
  readonly limitMs: number;
}

const memoryLimit = 300;
const rounds = 15;
const cases: readonly Case[] = [
  { name: 'layered-300x20', state: () => layeredNamespace(300, 20), limitMs: 50 },
  { name: 'layered-600x20', state: () => layeredNamespace(600, 20), limitMs: 100 },
  { name: 'layered-1500x20', state: () => layeredNamespace(1500, 20), limitMs: 250 },
  { name: 'dense-300x20-seed1', state: () => denseNamespace(300, 20, 1), limitMs: 1000 },
  { name: 'dense-300x20-seed2', state: () => denseNamespace(300, 20, 2), limitMs: 1000 },
  { name: 'dense-300x20-seed3', state: () => denseNamespace(300, 20, 3), limitMs: 1000 },
];

const wanted = process.argv[2];
if (wanted === undefined) {
  const failed = cases.filter(({ name }) => {
    const argv = [...process.execArgv, process.argv[1] ?? '', name];
    return spawnSync(process.execPath, argv, { stdio: 'inherit' }).status !== 0;
  });
  process.exitCode = failed.length === 0 ? 0 : 1;
} else {
  const found = cases.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no such case: ${wanted}`);
  process.exitCode = measure(found) ? 0 : 1;
}

function measure({ name, state: make, limitMs }: Case): boolean {
  const state = make();
  const load = timed(() => loadCatalogs(state.catalogs ?? []));
  const loaded = load.result;
  const first = timed(() => resolve(state, loaded));
  resolve(state, loaded);
  const times = Array.from({ length: rounds }, () => timed(() => resolve(state, loaded)).ms);
  const median = times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const { outcome, solution } = first.result;
  const explained = timed(() => explain(state, first.result, loaded));
  // ru_maxrss is in kilobytes.
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${name}: ${outcome.ok ? `${outcome.installPlan.length} operators` : outcome.errorKind}, ` +
      `${solution?.conflicts ?? 0} conflicts; median ${median.toFixed(1)} of ${limitMs} ms ` +
      `(ratio ${(median / limitMs).toFixed(2)}); load ${load.ms.toFixed(0)}, first ${first.ms.toFixed(0)}, ` +
      `explain ${explained.ms.toFixed(0)} ms; memory ${megabytes.toFixed(0)} of ${memoryLimit} MB ` +
      `(ratio ${(megabytes / memoryLimit).toFixed(2)})`,
  );
  return median <= limitMs && megabytes <= memoryLimit;
}

function timed<Result>(run: () => Result): { result: Result; ms: number } {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return { result, ms: (user + system) / 1000 };
}
