/**
 * Random definitions put to the API server's own code of each minor, and to ours: whether they are
 * accepted, the type and field of each error, and the estimated cost of each expression.
 *
 *     npx tsx test/reference/mutants.ts COUNT SEED [MINOR...]
 *     npx tsx test/reference/mutants.ts COUNT SEED --write
 *
 * Exit code 1 when anything differs. With `--write` the definitions, with the answers of all minors,
 * become the rows of `definitions-mutated`, with those that once differed.
 */
import {
  costsOf,
  judgeDefinition,
} from '../../src/kubernetes/definition/testing/judge-definition.js';
import { knownMinors } from '../../src/kubernetes/definition/minors.js';
import { own, stringifyJson, type JsonObject, type JsonValue } from '../../src/text/documents/index.js'; // prettier-ignore
import { mutatedDefinitions, type MutatedDefinition } from '../apiserver/mutated-definitions.js';
import { causesOf, type GoldenRow } from '../golden/golden.js';
import { byRange } from './minor-ranges.js';
import { ask, build, writeRows } from './program.js';
import { references } from './references.js';

const asked = process.argv.slice(2);
const [count = 10_000, seed = 1] = asked.filter((each) => /^\d+$/.test(each)).map(Number);
const isWriting = asked.includes('--write');
const named = asked.filter((each) => knownMinors.includes(each));
const minors = named.length === 0 || isWriting ? knownMinors : named;
const shown = 20;

/** Those over which ours and a server's code once differed, by seed and place: always among the rows. */
const mended: ReadonlyMap<number, readonly number[]> = new Map([
  [77, [2773, 3408, 5409]],
  [78, [698]],
  [91, [3219]],
  [99, [1224]],
  [301, [165, 469, 630, 741, 1087, 1305, 1575, 1633]],
  [401, [699]],
  [6029, [4335]],
  [6031, [1691]],
  [6032, [1784, 3695]],
  [7029, [3532]],
  [7032, [1073, 3636]],
  [9001, [239]],
]);

function mendedDefinitions(): MutatedDefinition[] {
  return [...mended].flatMap(([ofSeed, places]) => {
    const all = mutatedDefinitions(Math.max(...places) + 1, ofSeed);
    return places.map((place) => all[place] as MutatedDefinition);
  });
}

const definitions = [...mutatedDefinitions(count, seed), ...(isWriting ? mendedDefinitions() : [])];
const questions = definitions.map((each) => stringifyJson(each));

const ours = (definition: MutatedDefinition, minor: string, on: 'create' | 'update'): string => {
  const old = on === 'update' ? (own(definition, 'old') as JsonObject) : undefined;
  return causesOf(judgeDefinition(definition.new, old, [minor]) as unknown as JsonValue);
};

function costsBy(definition: MutatedDefinition, minor: string): Map<string, string> {
  const estimates = costsOf(definition.new).estimates([minor]);
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
const answersBy = new Map<string, readonly JsonObject[]>();
for (const minor of minors) {
  const reference = references.find(({ name }) => name === `definitions-${minor}`);
  if (reference === undefined) throw new Error(`no program for ${minor}`);
  const program = build(reference);
  const answers = await ask(program, ['definitions'], questions);
  const costs = await ask(program, ['costs'], questions);
  const tally = { asked: 0, refused: 0, verdicts: 0, causes: 0, estimates: 0, costs: 0 };
  const told: string[] = [];
  answersBy.set(
    minor,
    answers.map((answer, index) => ({ ...answer, ...costs[index] })),
  );
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
  });
  isDifferent ||= told.length > 0;
  console.log(told.slice(0, shown).join('\n'));
  console.log(`${minor}: ${JSON.stringify(tally)}`);
}
process.exitCode = isDifferent ? 1 : 0;
if (isWriting) {
  const rows = definitions.map((definition, index): GoldenRow => {
    const of = (minor: string): JsonObject => answersBy.get(minor)?.[index] as JsonObject;
    const causes = (said: JsonValue | undefined): JsonValue =>
      causesOf(said)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ type: line.replace(/ .*/s, ''), field: line.replace(/^\S+ ?/, '') }));
    const answered = (minor: string): JsonObject => ({
      create: causes(own(of(minor), 'create')),
      ...(definition.old === undefined ? {} : { update: causes(own(of(minor), 'update')) }),
    });
    const costs = (minor: string): JsonValue => own(of(minor), 'costs') ?? {};
    return {
      ...definition,
      answers: byRange(knownMinors, answered),
      costs: byRange(knownMinors, costs),
    };
  });
  writeRows('definitions-mutated', rows);
}
