/**
 * How long resolution takes, against stated limits: `npx tsx bench/resolve.ts`.
 * Prints one line per case with median, limit and their ratio; exits 1 when a limit is passed.
 */
import { explain } from '../src/resolver/index.js';
import { loadCatalogs, resolve } from '../src/resolver/index.js';
import { denseNamespace, layeredNamespace } from './resolve-namespaces.js';

interface Case {
  readonly name: string;
  readonly state: ReturnType<typeof layeredNamespace>;
  readonly limitMs: number;
  readonly rounds: number;
}

const cases: Case[] = [
  { name: 'layered 300 x 20', state: layeredNamespace(300, 20), limitMs: 50, rounds: 15 },
  { name: 'layered 600 x 20', state: layeredNamespace(600, 20), limitMs: 100, rounds: 7 },
  { name: 'layered 1500 x 20', state: layeredNamespace(1500, 20), limitMs: 250, rounds: 5 },
  {
    name: 'dense random 300 x 20, seed 1',
    state: denseNamespace(300, 20, 1),
    limitMs: 1000,
    rounds: 5,
  },
  {
    name: 'dense random 300 x 20, seed 2',
    state: denseNamespace(300, 20, 2),
    limitMs: 1000,
    rounds: 5,
  },
  {
    name: 'dense random 300 x 20, seed 3',
    state: denseNamespace(300, 20, 3),
    limitMs: 1000,
    rounds: 5,
  },
];

let passed = true;
for (const { name, state, limitMs, rounds } of cases) {
  const load = timed(() => loadCatalogs(state.catalogs ?? []));
  const times: number[] = [];
  let last = resolve(state, load.result);
  for (let round = 0; round < rounds; round++) {
    // Loaded again each time, because answers are remembered per loaded catalog.
    const loaded = loadCatalogs(state.catalogs ?? []);
    const { result, ms } = timed(() => resolve(state, loaded));
    last = result;
    times.push(ms);
  }
  const median = times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  const explained = timed(() => explain(state, last, load.result));
  const { outcome, solution } = last;
  passed &&= median <= limitMs;
  console.log(
    `${name}: ${outcome.ok ? `${outcome.installPlan.length} operators` : outcome.errorKind}, ` +
      `${solution?.conflicts ?? 0} conflicts, median ${median.toFixed(1)} ms of ${limitMs} ms ` +
      `(ratio ${(median / limitMs).toFixed(2)}), load ${load.ms.toFixed(0)} ms, explain ${explained.ms.toFixed(0)} ms`,
  );
}
const megabytes = process.memoryUsage().rss / 2 ** 20;
passed &&= megabytes <= 300;
console.log(`memory ${megabytes.toFixed(0)} MB of 300 MB (ratio ${(megabytes / 300).toFixed(2)})`);
process.exitCode = passed ? 0 : 1;

function timed<Result>(run: () => Result): { result: Result; ms: number } {
  const start = performance.now();
  const result = run();
  return { result, ms: performance.now() - start };
}
