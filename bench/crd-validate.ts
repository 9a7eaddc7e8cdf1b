/**
 * What it costs to judge the ten largest real upgrades, without reading them.
 * Run: npx tsx bench/crd-validate.ts
 */
import { judgeByReference, referenceProfiles } from '../src/upgrade/rules/crd/profiles.js';
import { isObject, own, parseJson, type JsonValue } from '../src/text/documents/index.js';
import { releaseLines, releasesMissing } from '../test/golden/releases.js';
import { UpgradePair } from '../src/upgrade/pair.js';

const limitMilliseconds = 5;
const pairs = 10;
const runs = 40;
const warmUp = 30;

/** Processor time, so that other work on the machine does not count; milliseconds for one run. */
function cost(measure: () => void): number {
  for (let run = 0; run < warmUp; run++) measure();
  const start = process.cpuUsage();
  for (let run = 0; run < runs; run++) measure();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / runs;
}

function side(row: JsonValue, key: 'old' | 'new'): JsonValue {
  return (isObject(row) ? own(row, key) : undefined) ?? null;
}

if (releasesMissing === undefined) {
  const lines = releaseLines('real/crd-pairs.jsonl.br')
    .sort((left, right) => right.length - left.length)
    .slice(0, pairs);
  let worst = 0;
  for (const line of lines) {
    const row = parseJson(line);
    const parse = cost(() => void JSON.parse(line));
    const id = isObject(row) ? own(row, 'id') : undefined;
    const name = typeof id === 'string' ? id : 'a pair without id';
    console.log(
      `${name} (${(line.length / 1e6).toFixed(2)} MB, JSON.parse ${parse.toFixed(2)} ms)`,
    );
    for (const profile of referenceProfiles) {
      const [old, next] = [side(row, 'old'), side(row, 'new')];
      const judge = cost(() => void judgeByReference(UpgradePair.read(old, next), profile));
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
  console.log(`skipped, needs ${releasesMissing}`);
}
