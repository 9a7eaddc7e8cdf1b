/**
 * In what a minor of Kubernetes differs, learned by asking its code: of the traits that ours knows, those under
 * which it answers as the minor does.
 *
 *     npx tsx test/reference/kubernetes/learn-traits.ts 1.37 [1.36]
 *
 * Begins with the traits of the second minor, by default of the nearest one. Writes the traits as JSON to
 * standard output; to standard error what it found, what no definition tells and stays as it was, and how many
 * answers still differ.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import table from '../../../src/kubernetes/definition/by-minor.json' with { type: 'json' };
import type { ServerTraits } from '../../../src/kubernetes/definition/minors.js';
import { own, parseJson, stringifyJson, type JsonObject, type JsonValue } from '../../../src/text/documents/index.js'; // prettier-ignore
import { moduleFiles, versionIn } from './module-files.js';
import type { Tell } from './tells.js';

interface Answered extends Tell {
  readonly create: JsonValue;
  readonly update?: JsonValue;
  /** By the fields of expressions. */
  readonly costs: Readonly<Record<string, string>>;
}

/** Read of the module file, and no question. */
const known: readonly (keyof ServerTraits)[] = ['apiextensions', 'celCompatibility', 'celGo'];
/** Names that a release has had for the type of optionals. */
const optionalTypes = ['optional', 'optional_type'];

function alternatives(traits: ServerTraits): ServerTraits[] {
  return (Object.keys(traits) as (keyof ServerTraits)[])
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const value = traits[name];
      const others =
        typeof value === 'boolean' ? [!value] : optionalTypes.filter((each) => each !== value);
      return others.map((other) => ({ ...traits, [name]: other }));
    });
}

function changed(from: ServerTraits, to: ServerTraits): string {
  return Object.entries(to)
    .filter(([name, value]) => from[name as keyof ServerTraits] !== value)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

interface Round {
  /** How many definitions are answered otherwise than the minor does, under the traits and each alternative. */
  readonly wrong: readonly number[];
  /** How many are answered otherwise than under the traits. */
  readonly tells: readonly number[];
}

async function round(
  traits: ServerTraits,
  answered: readonly Answered[],
  isAlone: boolean,
): Promise<Round> {
  // Whoever is imported first reads the table: every candidate is a minor of its own there.
  const candidates = isAlone ? [] : alternatives(traits);
  const named = [traits, ...candidates].map((each, index) => {
    const name = `1.${1000 + index}`;
    // A language is made once for each release of cel-go.
    const celGo = `${each.celGo}-${index}`;
    (table as Record<string, ServerTraits>)[name] = { ...each, celGo };
    return name;
  });
  const { costsOf, judgeDefinition } =
    await import('../../../src/kubernetes/definition/testing/judge-definition.js');
  const { causesOf } = await import('../../golden/golden.js');
  const wrong = named.map(() => 0);
  const tells = named.map(() => 0);
  for (const { new: next, old, create, update, costs } of answered) {
    const expected = [causesOf(create), update === undefined ? '' : causesOf(update)].join('\n\n');
    let first: string | undefined;
    for (const [index, name] of named.entries()) {
      const causes = (from?: JsonObject): string =>
        causesOf(judgeDefinition(next, from, [name]) as unknown as JsonValue);
      const said = [causes(), update === undefined ? '' : causes(old)].join('\n\n');
      const estimates = costsOf(next)
        .estimates([name])
        .map(({ field, estimated }) => [field, String(estimated)] as const);
      const isOther = estimates.some(([field, cost]) => (costs[field] ?? cost) !== cost);
      const answer = stringifyJson([said, estimates]);
      first ??= answer;
      if (answer !== first) tells[index] = (tells[index] ?? 0) + 1;
      if (said !== expected || isOther) wrong[index] = (wrong[index] ?? 0) + 1;
    }
  }
  return { wrong, tells };
}

/** Each round in a process of its own, which reads the table anew. */
function roundElsewhere(file: string, traits: ServerTraits, ...more: readonly string[]): Round {
  const { status, stdout } = spawnSync(
    process.execPath,
    [...process.execArgv, import.meta.filename, '--round', file, JSON.stringify(traits), ...more],
    { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (status !== 0) throw new Error(`a round of questions ended with ${status}`);
  return JSON.parse(stdout) as Round;
}

/** @param moduleFile of the minor, beside this file */
async function askCode(minor: string, moduleFile: string): Promise<Answered[]> {
  const { goldenRows } = await import('../../golden/golden.js');
  const { ask, build } = await import('../program.js');
  const { references } = await import('../references.js');
  const { tells } = await import('./tells.js');
  const rows = ['definitions-synthetic', 'definitions-bounds', 'definitions-mutated'].flatMap(
    (name) => goldenRows(name) as unknown as Tell[],
  );
  const all = [...tells, ...rows].map(({ new: next, old }) => ({
    new: next,
    ...(old === undefined ? {} : { old }),
  }));
  const reference = references.find(({ name }) => name === `definitions-${minor}`);
  const program = build({ ...(reference as NonNullable<typeof reference>), moduleFile });
  const questions = all.map((each) => stringifyJson(each));
  const answers = await ask(program, ['definitions'], questions);
  const costs = await ask(program, ['costs'], questions);
  return all.map((each, index) => {
    const said = answers[index] as JsonObject;
    const update = own(said, 'update');
    return {
      ...each,
      create: own(said, 'create') ?? [],
      ...(Array.isArray(update) ? { update } : {}),
      costs: own(costs[index] as JsonObject, 'costs') as Record<string, string>,
    };
  });
}

/** @param start of the nearest minor; its answers are what is not told */
export async function learnTraits(minor: string, start: ServerTraits): Promise<ServerTraits> {
  const moduleFile = moduleFiles.get(minor) ?? 'go.mod';
  const answered = await askCode(minor, moduleFile);
  return withAnswers(answered, (file) => {
    let traits: ServerTraits = {
      ...start,
      apiextensions: versionIn(moduleFile, 'k8s.io/apiextensions-apiserver'),
      celCompatibility: Number(minor.slice(2)) - 1,
      celGo: versionIn(moduleFile, '(?:github.com/google|cel.dev)/cel-go'),
    };
    for (;;) {
      const { wrong, tells } = roundElsewhere(file, traits);
      const [now = 0, ...others] = wrong;
      const all = alternatives(traits);
      const least = Math.min(...others);
      const better = least < now ? all[others.indexOf(least)] : undefined;
      if (better === undefined) {
        const untold = all.filter((_, index) => tells[index + 1] === 0);
        for (const each of untold) {
          console.error(`${minor}: no definition tells, and stays: not ${changed(traits, each)}`);
        }
        console.error(`${minor}: ${now} of ${answered.length} answers differ`);
        return traits;
      }
      console.error(
        `${minor}: ${changed(traits, better)}: ${now} answers differ before, ${least} after`,
      );
      traits = better;
    }
  });
}

/** How many definitions a minor answers otherwise than the table says. */
export async function differingAnswers(minor: string): Promise<number> {
  const traits = (table as Record<string, ServerTraits>)[minor] as ServerTraits;
  const answered = await askCode(minor, moduleFiles.get(minor) ?? 'go.mod');
  const { wrong } = withAnswers(answered, (file) => roundElsewhere(file, traits, '--alone'));
  return wrong[0] ?? 0;
}

function withAnswers<Result>(
  answered: readonly Answered[],
  work: (file: string) => Result,
): Result {
  const folder = mkdtempSync(join(tmpdir(), 'olm-guard-traits-'));
  const file = join(folder, 'answered.json');
  writeFileSync(file, stringifyJson(answered));
  try {
    return work(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The traits of the known minor that is nearest, older before newer ones. */
export function nearestTraits(minor: string): ServerTraits {
  const far = (each: string): number => {
    const distance = Number(each.slice(2)) - Number(minor.slice(2));
    return distance > 0 ? distance + 0.5 : -distance;
  };
  const others = Object.keys(table).filter((each) => each !== minor);
  const [nearest = ''] = others.sort((one, other) => far(one) - far(other));
  return (table as Record<string, ServerTraits>)[nearest] as ServerTraits;
}

if (process.argv[1] === import.meta.filename) {
  const [first = '', second = '', third = '', ...more] = process.argv.slice(2);
  if (first === '--round') {
    // With the digits of numbers as they are.
    const answered = parseJson(readFileSync(second, 'utf8')) as unknown as Answered[];
    console.log(
      JSON.stringify(
        await round(JSON.parse(third) as ServerTraits, answered, more.includes('--alone')),
      ),
    );
  } else {
    const start = (table as Record<string, ServerTraits>)[second] ?? nearestTraits(first);
    console.log(JSON.stringify(await learnTraits(first, start), null, 2));
  }
}
