/**
 * Whether the bounds that are said to bring a rule under its limit do so by the estimate of the API
 * server's own code: random definitions with rules that cost too much, with the bounds written, put to
 * the code of each minor; and where one bound was named, with one more, whether it was the loosest.
 *
 *     npx tsx test/reference/bounds.ts COUNT SEED [MINOR...]
 *     npx tsx test/reference/bounds.ts COUNT SEED --write
 *
 * Exit code 1 when a bound is not enough, or not the loosest. With `--write` the definitions become the
 * rows of `definitions-bounds`, with what the oldest and the newest minor estimate of the bounded ones.
 */
import jsonPatch from 'fast-json-patch';
import { costsOf } from '../../src/kubernetes/definition/testing/judge-definition.js';
import { knownMinors, newestMinor } from '../../src/kubernetes/definition/minors.js';
import { own, parseJson, stringifyJson, type JsonObject } from '../../src/text/documents/index.js';
import { boundWay } from '../../src/upgrade/rules/definition/explained-costs.js';
import { costlyDefinitions } from '../apiserver/costly-definitions.js';
import type { GoldenRow } from '../golden/golden.js';
import { ask, build, writeRows } from './program.js';
import { references } from './references.js';

const asked = process.argv.slice(2);
const [count = 100, seed = 1] = asked.filter((each) => /^\d+$/.test(each)).map(Number);
const isWriting = asked.includes('--write');
const named = asked.filter((each) => knownMinors.includes(each));
const minors = named.length > 0 ? named : isWriting ? [knownMinors[0] as string, newestMinor] : knownMinors; // prettier-ignore

interface Case {
  readonly id: string;
  readonly field: string;
  readonly limit: bigint;
  readonly definition: JsonObject;
  readonly bounded: JsonObject;
  /** With one more than the bound, where there is one; such a definition must be over the limit. */
  readonly looser: JsonObject | undefined;
}

function casesOf(minor: string): Case[] {
  return costlyDefinitions(count, seed).flatMap((definition, index) =>
    costsOf(definition)
      .estimates([minor])
      .filter(({ field, estimated, limit }) => estimated > limit && field.endsWith('.rule'))
      .flatMap((cost): Case[] => {
        const [explained] = costsOf(definition).explain([cost]);
        const ways = [0, 1].map((more) =>
          boundWay({
            ...cost,
            multipliedBy: [],
            bounds: (explained?.bounds ?? []).map((each) => ({ ...each, most: each.most + more })),
          }),
        );
        const [bounded, looser] = ways.map(
          (way) =>
            way &&
            jsonPatch.applyPatch(parseJson(stringifyJson(definition)) as JsonObject, way.patch)
              .newDocument,
        );
        if (bounded === undefined) return [];
        const isLoosest = explained?.bounds.length === 1 && explained.bounds[0]?.elsewhere === undefined; // prettier-ignore
        const { field, limit } = cost;
        return [{ id: `bound-${seed}-${index}`, field, limit, definition, bounded, looser: isLoosest ? looser : undefined }]; // prettier-ignore
      }),
  );
}

const rows = new Map<string, GoldenRow & { costs: Record<string, string> }>();
let isDifferent = false;
for (const minor of minors) {
  const reference = references.find(({ name }) => name === `definitions-${minor}`);
  if (reference === undefined) throw new Error(`no program for ${minor}`);
  const program = build(reference);
  const cases = casesOf(minor);
  const estimates = async (of: (each: Case) => JsonObject): Promise<(bigint | undefined)[]> => {
    const questions = cases.map((each) => stringifyJson({ new: of(each) }));
    const answers = await ask(program, ['costs'], questions);
    return answers.map((answer, index) => {
      const cost = own(own(answer, 'costs') as JsonObject, cases[index]?.field ?? '');
      return typeof cost === 'string' ? BigInt(cost) : undefined;
    });
  };
  const [within, above] = [
    await estimates(({ bounded }) => bounded),
    await estimates(({ looser, bounded }) => looser ?? bounded),
  ];
  const tally = { bounded: cases.length, single: 0, notEnough: 0, notLoosest: 0 };
  cases.forEach(({ id, field, limit, definition, looser }, index) => {
    const [enough, more] = [within[index], above[index]];
    const isEnough = enough !== undefined && enough <= limit;
    const isLoosest = looser === undefined || (more !== undefined && more > limit);
    if (looser !== undefined) tally.single++;
    if (!isEnough) tally.notEnough++;
    if (!isLoosest) tally.notLoosest++;
    if (!isEnough || !isLoosest) console.log(`${minor} ${id} ${field}: ${enough} and ${more}`);
    const row = rows.get(id) ?? { id, new: definition, field, costs: {} };
    rows.set(id, { ...row, costs: { ...row.costs, [minor]: String(enough) } });
  });
  isDifferent ||= tally.notEnough + tally.notLoosest > 0;
  console.log(`${minor}: ${JSON.stringify(tally)}`);
}
if (isWriting) writeRows('definitions-bounds', [...rows.values()]);
process.exitCode = isDifferent ? 1 : 0;
