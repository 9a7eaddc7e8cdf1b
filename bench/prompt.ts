/**
 * What `check crd` computes over folders of real definitions, in all its threads: the 15 largest and
 * the same unchanged, beside `JSON.parse` of their texts, in turns; and 200 small ones of which half
 * changed: `npm run build && npx tsx bench/prompt.ts [rounds]`.
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
/** Characters. */
const smallSize = 20_000;
const folder = mkdtempSync(join(tmpdir(), 'olm-guard-prompt-'));

interface Pair {
  readonly old: string;
  readonly next: string;
}

interface Case {
  readonly name: string;
  readonly pairs: readonly Pair[];
}

/** All real pairs, the largest first. */
function realPairs(): (Pair & { readonly name: string })[] {
  const lines = [...releaseLines('real/crd-pairs.jsonl.br')];
  return lines
    .sort((left, right) => right.length - left.length)
    .map((line) => {
      const { old, new: next } = parseJson(line) as { old: JsonObject; new: JsonObject };
      return { name: metaOf(next).name, old: JSON.stringify(old), next: JSON.stringify(next) };
    });
}

/** Several releases of one definition can lie in a folder only under groups of their own. */
function inGroup({ old, next }: Pair, group: string): Pair {
  const rename = (text: string): string => {
    const { metadata, spec, ...rest } = JSON.parse(text) as CrdText;
    const name = `${spec.names.plural}.${group}`;
    return JSON.stringify({ ...rest, metadata: { ...metadata, name }, spec: { ...spec, group } });
  };
  return { old: rename(old), next: rename(next) };
}

interface CrdText {
  readonly metadata: object;
  readonly spec: { readonly names: { readonly plural: string } };
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
    // Of each definition the largest.
    const byName = new Map(pairs.toReversed().map((pair) => [pair.name, pair]));
    const largest = pairs.filter((pair) => byName.get(pair.name) === pair).slice(0, 15);
    const small = pairs
      .filter(({ old, next }) => old.length < smallSize && next.length < smallSize)
      .slice(0, 200)
      .map((pair, index) => inGroup(pair, `g${index}.example.com`))
      .map((pair, index) => (index % 2 === 0 ? pair : { old: pair.next, next: pair.next }));
    const large = measure({ name: 'large', pairs: largest });
    const what = 'check crd of 15 large definitions, of JSON.parse';
    tell({ what, value: large.ratio, unit: '×', limit: 100 });
    const unchanged = largest.map(({ next }) => ({ old: next, next }));
    const same = measure({ name: 'unchanged', pairs: unchanged });
    tell({ what: 'the same unchanged, of JSON.parse', value: same.ratio, unit: '×', limit: 50 });
    tell({
      what: 'check crd of 200 small definitions, half of them unchanged',
      ...{ value: measure({ name: 'small', pairs: small }).spent / 1000, unit: ' s', limit: 4 },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
