/**
 * What it costs to ask the servers of all known minors about a definition.
 * Run: npx tsx bench/definition.ts, with --write to renew what the README says of public releases
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeDefinition, knownMinors, sizesOf } from '../src/definition/index.js';
import { definitionFindings } from '../src/rules/definition/index.js';
import { asInstalled } from '../src/crd/as-installed.js';
import { exampleOfSpec } from '../src/rules/crd/example-definition.js';
import {
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../src/text/documents/index.js';
import { releaseRows, releasesMissing } from '../test/golden/releases.js';

const largeLimit = 300;
const pairsLimit = 60_000;
const rules = 200;
const bytes = 500_000;

/** Milliseconds of processor time. */
function cost(measure: () => void): number {
  const start = process.cpuUsage();
  measure();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function tell(what: string, spent: number, limit: number): void {
  const verdict = spent <= limit ? 'met' : 'MISSED';
  console.log(`${what}: ${spent.toFixed(0)} ms of ${limit} ms, ${(spent / limit).toFixed(2)}: ${verdict}`); // prettier-ignore
}

/** A definition of that size, with a rule in each of its parts. */
function largeDefinition(): JsonObject {
  const description = 'x'.repeat(Math.floor(bytes / rules) - 600);
  const part = (index: number): JsonObject => ({
    type: 'object',
    description,
    properties: {
      name: { type: 'string', maxLength: 63 },
      ports: { type: 'array', maxItems: 16, items: { type: 'integer', minimum: 1 } },
      labels: { type: 'object', maxProperties: 16, additionalProperties: { type: 'string', maxLength: 63 } }, // prettier-ignore
    },
    'x-kubernetes-validations': [
      {
        rule: `!has(self.ports) || self.ports.all(p, p > ${index} || self.name.startsWith('p${index}'))`,
        message: `ports of part ${index}`,
      },
    ],
  });
  const parts = Array.from({ length: rules }, (_, index) => [`part${index}`, part(index)] as const);
  return exampleOfSpec({ type: 'object', properties: Object.fromEntries(parts) });
}

const text = stringifyJson(largeDefinition());
const runs = 9;
const times = Array.from({ length: runs }, () => {
  const definition = parseJson(text) as JsonObject;
  return cost(() => {
    const refused = judgeDefinition(definition, undefined, knownMinors);
    if (refused.length > 0) throw new Error(refused[0]?.message);
  });
}).sort((left, right) => left - right);
console.log(`${(text.length / 1000).toFixed(0)} KB, ${rules} rules, ${knownMinors.length} minors`);
tell('first time in a process, at worst', times.at(-1) ?? 0, largeLimit);
tell('median', times[Math.floor(runs / 2)] ?? 0, largeLimit);

if (releasesMissing === undefined) {
  const rows = releaseRows('real/crd-pairs.jsonl.br');
  const counts: [minor: string, on: string, rules: ReadonlySet<string>][] = [];
  const spent = cost(() => {
    for (const row of rows) {
      const [old, next] = [own(row, 'old') ?? null, own(row, 'new') ?? null];
      if (!isObject(next)) continue;
      const sides = { create: undefined, update: isObject(old) ? asInstalled(old) : undefined };
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
  tell(`${rows.length} pairs of releases, create and update`, spent, pairsLimit);
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
