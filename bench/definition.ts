/**
 * What it costs to ask the servers of all known minors about a definition.
 * Run: npx tsx bench/definition.ts, with --write to renew what docs/verdicts.md says of public releases
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { judgeDefinition } from '../src/kubernetes/definition/testing/judge-definition.js';
import { knownMinors } from '../src/kubernetes/definition/minors.js';
import { sizesOf } from '../src/kubernetes/definition/sizes.js';
import { definitionFindings } from '../src/upgrade/rules/definition/findings.js';
import { installedDocument } from '../src/upgrade/proof/testing/prove-documents.js';
import { isObject, own, stringifyJson, type JsonObject } from '../src/text/documents/index.js';
import { median, tell } from './measure.js';
import { cost, costOfLarge, largeDefinition, rules } from './many-rules.js';
import { releaseRows, releasesMissing } from '../test/golden/releases.js';

const largeLimit = 300;
const pairsLimit = 60_000;

/** In processes of their own, of the code bundled as `npm run build` bundles it. */
async function firstTimes(count: number): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'first-definition-'));
  const outfile = join(folder, 'first-definition.mjs');
  const entryPoints = [join(import.meta.dirname, 'first-definition.ts')];
  await build({ bundle: true, platform: 'node', target: 'node20', format: 'esm', entryPoints, outfile }); // prettier-ignore
  const times = Array.from({ length: count }, () =>
    Number(execFileSync(process.execPath, [outfile], { encoding: 'utf8' })),
  );
  rmSync(folder, { recursive: true });
  return times;
}

const text = largeDefinition();
const runs = 9;
console.log(`${(text.length / 1000).toFixed(0)} KB, ${rules} rules, ${knownMinors.length} minors`);
const large = { unit: ' ms', limit: largeLimit };
tell({
  what: 'definition, eight minors: first time in a process',
  value: median(await firstTimes(runs)),
  ...large,
});
const times = Array.from({ length: runs }, () => costOfLarge(text));
tell({ what: 'definition, eight minors: again and again in one', value: median(times), ...large });

if (releasesMissing === undefined) {
  const rows = releaseRows('real/crd-pairs.jsonl.br');
  const counts: [minor: string, on: string, rules: ReadonlySet<string>][] = [];
  const spent = cost(() => {
    for (const row of rows) {
      const [old, next] = [own(row, 'old') ?? null, own(row, 'new') ?? null];
      if (!isObject(next)) continue;
      const sides = {
        create: undefined,
        update: isObject(old) ? installedDocument(old) : undefined,
      };
      for (const [on, before] of Object.entries(sides)) {
        if (on === 'update' && before === undefined) continue;
        const refusals = judgeDefinition(next, before, knownMinors);
        for (const minor of new Set(refusals.flatMap(({ kubernetes }) => kubernetes))) {
          const its = refusals.filter(({ kubernetes }) => kubernetes.includes(minor));
          const rules = definitionFindings(next, its, undefined).map(({ rule }) => rule);
          counts.push([minor, on, new Set(rules)]);
        }
      }
    }
  });
  tell({
    what: `definition, eight minors: ${rows.length} pairs of releases`,
    ...{ value: spent, unit: ' ms', limit: pairsLimit },
  });
  const refusedBy = (minor: string, on: string): JsonObject => {
    const its = counts.filter(([ofMinor, operation]) => ofMinor === minor && operation === on);
    const rules = its.flatMap(([, , names]) => [...names]).sort();
    const byRule = rules.map(
      (rule) => [rule, rules.filter((each) => each === rule).length] as const,
    );
    return { definitions: its.length, rules: Object.fromEntries(byRule) };
  };
  const minors = knownMinors.map((minor) => {
    const row = { create: refusedBy(minor, 'create'), update: refusedBy(minor, 'update') };
    return [minor, row] as const;
  });
  const tooLarge = rows.filter((row) => {
    const next = own(row, 'new') ?? null;
    if (!isObject(next)) return false;
    return sizesOf(next).limits.some(({ name, exceeded }) => exceeded && name === 'last-applied annotation'); // prettier-ignore
  });
  const told = { tooLargeToApply: tooLarge.length, minors: Object.fromEntries(minors) };
  console.log(stringifyJson(told));
  if (process.argv.includes('--write')) {
    const file = join(import.meta.dirname, '..', 'build', 'refused-releases.json');
    writeFileSync(file, `${JSON.stringify(told, null, 2)}\n`);
  }
} else {
  console.log(`skipped, needs ${releasesMissing}`);
}
