/**
 * How long resolution takes, against stated limits: `npx tsx bench/resolve.ts [case]`.
 * Each case runs in a process of its own, on catalogs loaded once, after two rounds of warming up. Prints
 * the median of processor time, because machines are shared, its limit and their ratio, and the peak
 * memory; exits 1 when a limit is passed.
 */
import { spawnSync } from 'node:child_process';
import type { NamespaceState } from '../src/olm/resolver/namespace.js';
import { explain } from '../src/olm/resolver/explain.js';
import { loadCatalogs, resolve, type LoadedCatalogs } from '../src/olm/resolver/resolve.js';
import { keep } from './measure.js';
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
  { name: 'layered-1500x20', state: () => layeredNamespace(1500, 20), limitMs: 200 },
  { name: 'dense-300x20-seed1', state: () => denseNamespace(300, 20, 1), limitMs: 1000 },
  { name: 'dense-300x20-seed2', state: () => denseNamespace(300, 20, 2), limitMs: 1000 },
  { name: 'dense-300x20-seed3', state: () => denseNamespace(300, 20, 3), limitMs: 1000 },
];
/** Megabytes that each case's process may use for objects; beside it Node itself needs about 100. */
const heap = ['--max-old-space-size=190'];

const wanted = process.argv[2];
if (wanted === undefined) {
  const failed = cases.filter(({ name }) => {
    const argv = [...heap, ...process.execArgv, process.argv[1] ?? '', name];
    return spawnSync(process.execPath, argv, { stdio: 'inherit' }).status !== 0;
  });
  process.exitCode = failed.length === 0 ? 0 : 1;
} else {
  const found = cases.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no such case: ${wanted}`);
  process.exitCode = measure(found) ? 0 : 1;
}

function measure({ name, state: make, limitMs }: Case): boolean {
  const { state, loaded, loadMs } = loadOnce(make);
  const first = measureFirst(state, loaded);
  resolve(state, loaded);
  const times = Array.from({ length: rounds }, () => timed(() => resolve(state, loaded)).ms);
  const median = times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  // ru_maxrss is in kilobytes.
  const megabytes = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${name}: ${first.outcome}; median ${median.toFixed(1)} of ${limitMs} ms ` +
      `(ratio ${(median / limitMs).toFixed(2)}); load ${loadMs.toFixed(0)}, first ${first.ms.toFixed(0)}, ` +
      `explain ${first.explainMs.toFixed(0)} ms; memory ${megabytes.toFixed(0)} of ${memoryLimit} MB ` +
      `(ratio ${(megabytes / memoryLimit).toFixed(2)})`,
  );
  keep({ what: `resolve ${name}: processor time`, value: median, unit: ' ms', limit: limitMs });
  keep({ what: `resolve ${name}: memory`, value: megabytes, unit: ' MB', limit: memoryLimit });
  return median <= limitMs && megabytes <= memoryLimit;
}

/** Of the catalogs only the index is kept, as whoever resolves again and again keeps it. */
function loadOnce(make: Case['state']): {
  readonly state: NamespaceState;
  readonly loaded: LoadedCatalogs;
  readonly loadMs: number;
} {
  const { catalogs, ...state } = make();
  const { result, ms } = timed(() => loadCatalogs(catalogs ?? []));
  return { state, loaded: result, loadMs: ms };
}

/** Only the numbers are kept: a resolution holds the whole problem. */
function measureFirst(
  state: NamespaceState,
  loaded: LoadedCatalogs,
): { readonly ms: number; readonly explainMs: number; readonly outcome: string } {
  const { result, ms } = timed(() => resolve(state, loaded));
  const { outcome, solution } = result;
  const explainMs = timed(() => explain(state, result, loaded)).ms;
  const what = outcome.ok ? `${outcome.installPlan.length} operators` : outcome.errorKind;
  return { ms, explainMs, outcome: `${what}, ${solution?.conflicts ?? 0} conflicts` };
}

function timed<Result>(run: () => Result): { result: Result; ms: number } {
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return { result, ms: (user + system) / 1000 };
}
