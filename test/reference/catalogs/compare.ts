/**
 * Random catalogs put to operator-registry's own code, as `opm validate` runs it, and to ours.
 *
 *     npx tsx test/reference/catalogs/compare.ts COUNT SEED [SHOWN]
 *
 * Exit code 1 when one is accepted by one of them alone, or what was loaded, read or said differs.
 */
import { catalog } from '../../../src/checks/operations/catalog.js';
import { own, stringifyJson, type JsonObject } from '../../../src/text/documents/index.js'; // prettier-ignore
import { sameJson } from '../../golden/golden.js';
import { ask, build } from '../program.js';
import { references, sortedTree } from '../references.js';
import { mutatedCatalogs } from './mutated-catalogs.js';

const [count = 5000, seed = 1, shown = 10] = process.argv.slice(2).map(Number);
const reference = references.find(({ name }) => name === 'catalogs');
if (reference === undefined) throw new Error('no program for catalogs');

const questions = mutatedCatalogs(count, seed).map((files) => ({ files }));
const answers = await ask(build(reference), [], questions.map((each) => stringifyJson(each))); // prettier-ignore

/** What is no YAML or JSON is refused in the words of a parser, which are Go's own. */
const parserWords =
  /^(?:error converting YAML to JSON|is not JSON|json: offset \d+|(?:json: )?invalid character|unexpected EOF)/;

const found = new Map<string, string[]>();
let refused = 0;
questions.forEach((question, index) => {
  const theirs = answers[index] as JsonObject;
  let ours: JsonObject;
  try {
    ours = catalog.judge(question).output as JsonObject;
  } catch (error) {
    ours = { thrown: String((error as Error).stack) };
  }
  if (theirs['ok'] !== true) refused++;
  const differing = ['ok', 'stage', 'counts', 'heads', 'filesRead'].filter(
    (field) => !sameJson(own(ours, field), own(theirs, field)),
  );
  const said = own(theirs, 'error');
  const errors = own(ours, 'errors');
  const mine = Array.isArray(errors) ? errors[0] : undefined;
  if (differing.length === 0 && typeof said === 'string') {
    const isOfParser = typeof mine === 'string' && parserWords.test(mine) && parserWords.test(said);
    if (!isOfParser && (typeof mine !== 'string' || sortedTree(mine) !== sortedTree(said))) {
      differing.push('error');
    }
  }
  if (differing.length === 0) return;
  const kind = differing.join(', ');
  const told = `  ${stringifyJson(question)}\n    theirs ${stringifyJson(theirs)}\n    ours   ${stringifyJson(ours)}`;
  found.set(kind, [...(found.get(kind) ?? []), told]);
});
for (const [kind, told] of found) console.log([`${kind}: ${told.length}`, ...told.slice(0, shown)].join('\n')); // prettier-ignore
console.log(`${questions.length} asked, ${refused} refused there, ${[...found.values()].flat().length} differ`); // prettier-ignore
process.exitCode = found.size > 0 ? 1 : 0;
