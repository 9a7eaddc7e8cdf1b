/**
 * Random definitions put to the API server's own code of each minor, and to ours: whether they are
 * accepted, the type and field of each error, and the estimated cost of each expression.
 *
 *     npx tsx test/reference/mutants.ts COUNT SEED [MINOR...]
 *     npx tsx test/reference/mutants.ts COUNT SEED --write
 *
 * Exit code 1 when anything differs. With `--write` the definitions, with the answers of all minors,
 * become the rows of `definitions-mutated`.
 */
import { costsOf, judgeDefinition, knownMinors } from '../../src/definition/index.js';
import { own, stringifyJson, type JsonObject, type JsonValue } from '../../src/text/documents/index.js'; // prettier-ignore
import { mutatedDefinitions, type MutatedDefinition } from '../apiserver/mutated-definitions.js';
import { causesOf, type GoldenRow } from '../golden/golden.js';
import { ask, build } from './program.js';
import { references } from './references.js';

const asked = process.argv.slice(2);
const [count = 10_000, seed = 1] = asked.filter((each) => /^\d+$/.test(each)).map(Number);
const isWriting = asked.includes('--write');
const named = asked.filter((each) => knownMinors.includes(each));
const minors = named.length === 0 || isWriting ? knownMinors : named;
const shown = 20;

const definitions = mutatedDefinitions(count, seed);
const questions = definitions.map((each) => stringifyJson(each));

const ours = (definition: MutatedDefinition, minor: string, on: 'create' | 'update'): string => {
  const old = on === 'update' ? (own(definition, 'old') as JsonObject) : undefined;
  return causesOf(judgeDefinition(definition.new, old, [minor]) as unknown as JsonValue);
};

function costsBy(definition: MutatedDefinition, minor: string): Map<string, string> {
  const estimates = costsOf(definition.new, [minor]);
  return new Map(
    estimates
      .filter(({ field }) => /\.(rule|messageExpression)$/.test(field))
      .map(({ field, estimated }) => [field, String(estimated)]),
  );
}

/** A schema that is not structural may end the program's walk: then it knows fewer fields. */
function differingCosts(
  definition: MutatedDefinition,
  minor: string,
  answer: JsonObject,
  isAccepted: boolean,
): string[] {
  const theirs = new Map(Object.entries(own(answer, 'costs') as Record<string, string>));
  return [...costsBy(definition, minor)]
    .filter(([field, cost]) => theirs.get(field) !== cost && (isAccepted || theirs.has(field)))
    .map(([field, cost]) => `${field}: ${theirs.get(field) ?? 'none'} | ${cost}`);
}

let isDifferent = false;
const rows: GoldenRow[] = definitions.map((each) => ({ ...each, answers: {}, costs: {} }));
for (const minor of minors) {
  const reference = references.find(({ name }) => name === `definitions-${minor}`);
  if (reference === undefined) throw new Error(`no program for ${minor}`);
  const program = build(reference);
  const answers = await ask(program, ['definitions'], questions);
  const costs = await ask(program, ['costs'], questions);
  const tally = { asked: 0, refused: 0, verdicts: 0, causes: 0, estimates: 0, costs: 0 };
  const told: string[] = [];
  definitions.forEach((definition, index) => {
    const answer = answers[index] as JsonObject;
    for (const on of ['create', 'update'] as const) {
      const said = own(answer, on);
      if (!Array.isArray(said)) continue;
      const [theirs, mine] = [causesOf(said), ours(definition, minor, on)];
      tally.asked++;
      if (theirs !== '') tally.refused++;
      if (theirs === mine) continue;
      tally.causes++;
      if ((theirs === '') !== (mine === '')) tally.verdicts++;
      told.push(`${definition.id} ${on}: ${theirs.replaceAll('\n', ', ')} | ${mine.replaceAll('\n', ', ')}`); // prettier-ignore
    }
    const estimates = costs[index] as JsonObject;
    const differing = differingCosts(
      definition,
      minor,
      estimates,
      causesOf(own(answer, 'create')) === '',
    );
    tally.estimates += costsBy(definition, minor).size;
    tally.costs += differing.length;
    told.push(...differing.map((each) => `${definition.id} ${each}`));
    const row = rows[index] as GoldenRow;
    (row['answers'] as JsonObject)[minor] = answer;
    (row['costs'] as JsonObject)[minor] = own(estimates, 'costs') as JsonObject;
  });
  isDifferent ||= told.length > 0;
  console.log(told.slice(0, shown).join('\n'));
  console.log(`${minor}: ${JSON.stringify(tally)}`);
}
process.exitCode = isDifferent ? 1 : 0;
