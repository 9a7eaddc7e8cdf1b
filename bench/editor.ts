/**
 * What a keystroke costs in an editor and on the page, and what is left of ten thousand of them.
 * Run: node --expose-gc --import tsx bench/editor.ts; npx tsx bench/editor.ts leaves the memory out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { common } from '../build/bundle.mjs';
import { tuneV8 } from '../src/cli/v8-tuning.js';
import type { TextJudge, Texts } from '../site/check/judge-texts.js';
import { parseJson, stringifyJson } from '../src/text/documents/index.js';
import { writeYaml } from '../src/text/documents/write-yaml.js';
import { definition } from './large-definition.js';
import { tell } from './measure.js';

tuneV8();

const megabyte = 1_000_000;
const keystrokes = 60;
const edits = 10_000;
const warmUp = 1000;

const words =
  'what a reader of the documents finds beside the field, as controller-gen writes it: ';

/** As large ones are: more than half of them is what their fields mean. */
function described(fields: number): object {
  return parseJson(
    stringifyJson(definition(fields, 0)).replaceAll(
      /("type":"(?:string|integer|object|array)")(?=,)/g,
      `"description":${JSON.stringify(words.repeat(2))},$1`,
    ),
  ) as object;
}

/** The same definition with a bound that somebody types. */
function texts(fields: number): (keystroke: number) => Texts {
  const old = writeYaml(described(fields));
  const [before = '', ...after] = old.split('minimum: 0');
  return (keystroke) => ({
    ...{ old, new: [before, after.join('minimum: 0')].join(`minimum: ${-keystroke - 1}`) },
    ...{ objects: '', profile: 'olm-v1', isStrict: false },
  });
}

/** As it is built: tsx gives each function its name anew whenever one is made, which takes half as long again. */
async function builtJudge(): Promise<TextJudge> {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-editor-'));
  const outfile = join(folder, 'judge-texts.mjs');
  const entryPoints = ['site/check/judge-texts.ts'];
  try {
    await build({ ...common, entryPoints, outfile, format: 'esm' });
    const built = (await import(pathToFileURL(outfile).href)) as { TextJudge: typeof TextJudge };
    return new built.TextJudge();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function costOf(judge: TextJudge, given: Texts): Promise<number> {
  const start = process.cpuUsage();
  const { verdict } = await judge.judge(given, { isFixWanted: false });
  const { user, system } = process.cpuUsage(start);
  if (verdict.kind !== 'allowed') throw new Error(`${verdict.kind}, and nothing breaks`);
  return (user + system) / 1000;
}

const judge = await builtJudge();
let fields = 100;
while (texts(fields)(0).new.length < megabyte) fields += 20;
const large = texts(fields);
const costs: number[] = [];
for (let index = 0; index < 2 * keystrokes; index++) {
  const cost = await costOf(judge, large(index));
  if (index >= keystrokes) costs.push(cost);
}
costs.sort((one, other) => one - other);
tell({
  what: 'keystroke in a definition of 1 MB: 95th percentile of processor time',
  ...{ value: costs[Math.floor(costs.length * 0.95)] ?? NaN, unit: ' ms', limit: 60 },
});

if (globalThis.gc === undefined) {
  console.log('skipped: what ten thousand keystrokes leave; needs --expose-gc');
} else {
  const small = texts(11);
  const heapAfter = async (from: number, to: number): Promise<number> => {
    for (let index = from; index < to; index++)
      await judge.judge(small(index), { isFixWanted: false });
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / megabyte;
  };
  const first = await heapAfter(0, warmUp);
  tell({
    what: `heap, from keystroke ${warmUp} to ${edits}`,
    ...{ value: (await heapAfter(warmUp, edits)) - first, unit: ' MB', limit: 10 },
  });
}
