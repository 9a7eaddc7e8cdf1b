/**
 * What it costs to judge the ten largest real upgrades, without reading them.
 * Run: npx tsx bench/crd-validate.ts
 */
import { existsSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { judgeUpgrade, referenceProfiles } from '../src/crd/index.js';
import { isObject, own, parseJson, type JsonValue } from '../src/documents/index.js';

const limitMilliseconds = 5;
const pairs = 10;
const runs = 40;
const source = new URL('../../shared/real/crd-pairs.jsonl.br', import.meta.url);

function median(measure: () => void): number {
  for (let run = 0; run < runs / 4; run++) measure();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    measure();
    return performance.now() - start;
  }).sort((left, right) => left - right);
  return times[Math.floor(runs / 2)] ?? NaN;
}

function side(row: JsonValue, key: 'old' | 'new'): JsonValue {
  return (isObject(row) ? own(row, key) : undefined) ?? null;
}

if (existsSync(source)) {
  const lines = brotliDecompressSync(readFileSync(source))
    .toString()
    .trim()
    .split('\n')
    .sort((left, right) => right.length - left.length)
    .slice(0, pairs);
  let worst = 0;
  for (const line of lines) {
    const row = parseJson(line);
    const parse = median(() => void JSON.parse(line));
    const id = isObject(row) ? own(row, 'id') : undefined;
    console.log(
      `${String(id)} (${(line.length / 1e6).toFixed(2)} MB, JSON.parse ${parse.toFixed(2)} ms)`,
    );
    for (const profile of referenceProfiles) {
      const [old, next] = [side(row, 'old'), side(row, 'new')];
      const judge = median(() => void judgeUpgrade(old, next, profile));
      worst = Math.max(worst, judge);
      const ofLimit = (judge / limitMilliseconds).toFixed(2);
      const ofParse = (judge / parse).toFixed(2);
      console.log(
        `  ${profile.padEnd(6)} ${judge.toFixed(2)} ms, ${ofLimit} of the limit, ${ofParse} of JSON.parse`,
      );
    }
  }
  const verdict = worst <= limitMilliseconds ? 'met' : 'MISSED';
  console.log(`limit ${limitMilliseconds} ms per pair: ${verdict}, slowest ${worst.toFixed(2)} ms`);
} else {
  console.log(`skipped: ${source.pathname} is missing`);
}
