/**
 * What it costs to ask the servers of all known minors about a definition.
 * Run: npx tsx bench/definition.ts
 */
import { judgeDefinition, knownMinors } from '../src/definition/index.js';
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
  const refused = new Map<string, number>();
  const spent = cost(() => {
    for (const row of rows) {
      const [old, next] = [own(row, 'old') ?? null, own(row, 'new') ?? null];
      if (!isObject(next)) continue;
      const sides = { create: undefined, update: isObject(old) ? asInstalled(old) : undefined };
      for (const [on, before] of Object.entries(sides)) {
        if (on === 'update' && before === undefined) continue;
        const minors = new Set(
          judgeDefinition(next, before, knownMinors).flatMap(({ kubernetes }) => kubernetes),
        );
        for (const minor of minors) {
          const key = `${minor} ${on}`;
          refused.set(key, (refused.get(key) ?? 0) + 1);
        }
      }
    }
  });
  tell(`${rows.length} pairs of releases, create and update`, spent, pairsLimit);
  console.log(
    [...refused]
      .map(([key, count]) => `${key} ${count}`)
      .sort()
      .join(', '),
  );
} else {
  console.log(`skipped, needs ${releasesMissing}`);
}
