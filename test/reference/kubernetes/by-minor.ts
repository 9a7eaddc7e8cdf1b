/**
 * What src/kubernetes/definition says of minors, held against their own code: by-minor.json, in what they differ,
 * and cel-environment.json, since when a new rule may use which library.
 *
 *     npx tsx test/reference/kubernetes/by-minor.ts 1.37
 *
 * learns what by-minor.json says of a minor anew. `npm run reference -- by-minor` asks all of them, and writes
 * nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import environment from '../../../src/kubernetes/definition/cel-environment.json' with { type: 'json' };
import { own, stringifyJson, type JsonObject } from '../../../src/text/documents/index.js';
import { ask, build } from '../program.js';
import { references } from '../references.js';
import { differingAnswers, learnTraits, nearestTraits } from './learn-traits.js';
import { moduleFiles } from './module-files.js';
import { libraryRules } from './tells.js';

const file = join(import.meta.dirname, '../../../src/kubernetes/definition/by-minor.json');

export async function write(minor: string): Promise<void> {
  const traits = await learnTraits(minor, nearestTraits(minor));
  const table = JSON.parse(readFileSync(file, 'utf8')) as Record<string, object>;
  const all = Object.entries({ ...table, [minor]: traits });
  const order = ([name]: readonly [string, object]): number => Number(name.slice(2));
  all.sort((one, other) => order(one) - order(other));
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}

/** A sentence for everything that a minor's code says otherwise. */
export async function differing(): Promise<string[]> {
  const found: string[] = [];
  for (const minor of moduleFiles.keys()) {
    const count = await differingAnswers(minor);
    if (count > 0) found.push(`Kubernetes ${minor} answers ${count} definitions otherwise`);
    found.push(...(await otherLibraries(minor)));
  }
  return found;
}

async function otherLibraries(minor: string): Promise<string[]> {
  const reference = references.find(({ name }) => name === `definitions-${minor}`);
  if (reference === undefined) throw new Error(`no program for ${minor}`);
  const rules = Object.entries(libraryRules);
  const questions = rules.map(([, tell]) => stringifyJson({ ...tell }));
  const answers = await ask(build(reference), ['definitions'], questions);
  return rules.flatMap(([library], index) => {
    const refusals = own(answers[index] as JsonObject, 'create') as readonly unknown[];
    const introduced = environment.introduced[library as keyof typeof environment.introduced];
    // A new rule may use what the minor before it has.
    const isKnown = Number(minor.slice(2)) > introduced;
    return (refusals.length === 0) === isKnown
      ? []
      : [`Kubernetes ${minor} ${isKnown ? 'refuses' : 'takes'} a new rule with ${library}`];
  });
}

if (process.argv[1] === import.meta.filename) {
  const minor = process.argv[2] ?? '';
  if (!moduleFiles.has(minor)) {
    console.error(`name a minor of ${[...moduleFiles.keys()].join(', ')}`);
    process.exitCode = 2;
  } else await write(minor);
}
