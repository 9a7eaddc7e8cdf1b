/**
 * What `check crd` computes over folders of real definitions, in all its threads: the 15 largest, the
 * same unchanged, and 200 of the smallest of which half changed, beside `JSON.parse` of their texts, in
 * turns: `npm run build && npx tsx bench/prompt.ts [rounds]`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { metaOf, parseJson, type JsonObject } from '../src/text/documents/index.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';
import { costOfCommand } from './command-cost.js';
import { median, tell } from './measure.js';

const rounds = Number(process.argv[2] ?? 5);
const main = join(import.meta.dirname, '..', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'olm-guard-prompt-'));

interface Pair {
  readonly old: string;
  readonly next: string;
}

interface Case {
  readonly name: string;
  readonly pairs: readonly Pair[];
}

/** The largest pair of each definition, the largest first. */
function realPairs(): Pair[] {
  const lines = [...releaseLines('real/crd-pairs.jsonl.br')];
  const pairs = new Map<string, Pair>();
  for (const line of lines.sort((left, right) => right.length - left.length)) {
    const { old, new: next } = parseJson(line) as { old: JsonObject; new: JsonObject };
    const { name } = metaOf(next);
    if (pairs.has(name)) continue;
    pairs.set(name, { old: JSON.stringify(old), next: JSON.stringify(next) });
  }
  return [...pairs.values()];
}

function write({ name, pairs }: Case): string[] {
  const sides = ['old', 'new'].map((side) => join(folder, name, side));
  for (const side of sides) mkdirSync(side, { recursive: true });
  for (const [index, { old, next }] of pairs.entries()) {
    for (const [at, text] of [old, next].entries()) {
      writeFileSync(join(sides[at] ?? '', `${index}.json`), text);
    }
  }
  return sides;
}

function costOfParsing(pairs: readonly Pair[]): number {
  const start = process.cpuUsage();
  for (const { old, next } of pairs) for (const text of [old, next]) JSON.parse(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function measure(all: Case): { readonly spent: number; readonly ratio: number } {
  const args = [main, 'check', 'crd', ...write(all)];
  const turns = Array.from({ length: rounds }, () => {
    costOfParsing(all.pairs);
    return { parse: costOfParsing(all.pairs), own: costOfCommand(args) };
  });
  return {
    spent: median(turns.map(({ own }) => own)),
    ratio: median(turns.map(({ own, parse }) => own / parse)),
  };
}

if (releasesMissing !== undefined) console.log(`not measured: ${releasesMissing}`);
else {
  try {
    const pairs = realPairs();
    const largest = pairs.slice(0, 15);
    const smallest = pairs.slice(-200);
    const large = measure({ name: 'large', pairs: largest });
    const what = 'check crd of 15 large definitions, of JSON.parse';
    tell({ what, value: large.ratio, unit: '×', limit: 100 });
    const unchanged = largest.map(({ next }) => ({ old: next, next }));
    const same = measure({ name: 'unchanged', pairs: unchanged });
    tell({ what: 'the same unchanged, of JSON.parse', value: same.ratio, unit: '×', limit: 15 });
    const half = smallest.map((pair, index) =>
      index % 2 === 0 ? pair : { old: pair.next, next: pair.next },
    );
    const small = measure({ name: 'small', pairs: half });
    const [value, limit] = [small.spent / 1000, 1];
    tell({
      what: 'check crd of 200 definitions, half of them unchanged',
      value,
      unit: ' s',
      limit,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
