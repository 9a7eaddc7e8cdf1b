/**
 * `check crd` over a folder of 200 definitions of which half did not change, with all cores and with
 * one: `npm run build && npx tsx bench/folder.ts`. What the busiest thread computes, beside all that
 * one core does: how long it takes where nobody else is in the way.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { exampleOfSpec } from '../src/upgrade/rules/crd/example-definition.js';
import { metaOf, parseJson, stringifyJson, type JsonObject } from '../src/text/documents/index.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';
import { median, tell } from './measure.js';

const definitions = 200;
const rounds = 3;
const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'olm-guard-folders-'));

interface Pair {
  readonly old: JsonObject;
  readonly new: JsonObject;
}

function* pairs(): Generator<Pair> {
  if (releasesMissing === undefined) {
    for (const line of releaseLines('real/crd-pairs.jsonl.br')) {
      yield parseJson(line) as unknown as Pair;
    }
    return;
  }
  const size = (maximum: number): JsonObject => ({ type: 'integer', maximum });
  for (let index = 0; index < definitions; index++) {
    const of = (maximum: number): JsonObject => {
      const names = Array.from({ length: 300 }, (_, at) => [`field${at}`, size(maximum)] as const);
      const made = exampleOfSpec({ type: 'object', properties: Object.fromEntries(names) });
      return { ...made, metadata: { name: `widgets${index}.example.com` } };
    };
    yield { old: of(20), new: of(10) };
  }
}

function writePairs(): void {
  for (const side of ['old', 'new']) mkdirSync(join(folder, side));
  const names = new Set<string>();
  for (const { old, new: next } of pairs()) {
    const { name } = metaOf(next);
    if (names.has(name) || names.size === definitions) continue;
    names.add(name);
    const before = names.size % 2 === 0 ? next : old;
    writeFileSync(join(folder, 'old', `${name}.json`), stringifyJson(before));
    writeFileSync(join(folder, 'new', `${name}.json`), stringifyJson(next));
  }
  console.log(`${names.size} definitions`);
}

/** Milliseconds of processor time by thread, of one run. */
async function threadsOf(command: string, args: readonly string[]): Promise<number[]> {
  const child = spawn(command, args, { stdio: 'ignore' });
  const spent = new Map<string, number>();
  const tasks = `/proc/${child.pid}/task`;
  const timer = setInterval(() => {
    try {
      for (const task of readdirSync(tasks)) {
        const [nanoseconds = ''] = readFileSync(join(tasks, task, 'schedstat'), 'utf8').split(' ');
        spent.set(task, Number(nanoseconds) / 1e6);
      }
    } catch {
      // It has ended.
    }
  }, 10);
  await once(child, 'exit');
  clearInterval(timer);
  return [...spent.values()];
}

if (spawnSync('taskset', ['-c', '0', 'true']).status !== 0 || availableParallelism() < 2) {
  console.log('not measured: it takes Linux, taskset and two cores');
} else {
  try {
    writePairs();
    const check = [main, 'check', 'crd', join(folder, 'old'), join(folder, 'new')];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const one = await threadsOf('taskset', ['-c', '0', process.execPath, ...check]);
      const all = await threadsOf(process.execPath, check);
      ratios.push(Math.max(...all) / Math.max(...one));
    }
    tell({
      what: `check crd of ${definitions} definitions: its busiest thread, of one core`,
      value: median(ratios),
      ...{ unit: '×', limit: 0.75 },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
