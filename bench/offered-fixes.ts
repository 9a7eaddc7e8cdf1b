/**
 * Asks the code of API servers about every change that a denial offers: `npx tsx bench/offered-fixes.ts [MINOR …]`,
 * over the releases that test/golden/releases.ts finds. A fix is refused where the definition that follows it has a
 * refusal, in place of the old one, that the release as it is has not.
 *
 * Go builds one program for each minor (test/reference/kubernetes), which takes minutes the first time; without
 * minors, all of them are asked. Exit code: 1 where a fix is refused.
 */
import { isObject, stringifyJson } from '../src/text/documents/index.js';
import { listAt } from '../src/text/documents/fields.js';
import { patched, patchesOf } from '../test/cluster/offered-patches.js';
import { releaseRows } from '../test/golden/releases.js';
import { moduleFiles } from '../test/reference/kubernetes/module-files.js';
import { ask, build } from '../test/reference/program.js';
import { references } from '../test/reference/references.js';

interface Fixed {
  readonly pair: string;
  readonly patch: string;
  readonly before: string;
  readonly after: string;
}

const fixes: Fixed[] = [];
let [pairs, offering] = [0, 0];
for (const file of ['real/crd-pairs.jsonl.br', 'real/fresh-pairs.jsonl.br']) {
  for (const { id, old = null, new: next = null } of releaseRows(file)) {
    if (!isObject(old) || !isObject(next)) continue;
    pairs++;
    const before = stringifyJson({ old, new: next });
    const asked = new Set<string>();
    for (const patch of patchesOf(old, next)) {
      const definition = patched(next, patch);
      if (definition === undefined) continue;
      const after = stringifyJson({ old, new: definition });
      if (after === before || asked.has(after)) continue;
      asked.add(after);
      fixes.push({ pair: id, patch: JSON.stringify(patch), before, after });
    }
    if (asked.size > 0) offering++;
  }
}
console.log(`${pairs} pairs, ${offering} with fixes, ${fixes.length} fixed definitions`);

const minors = process.argv.length > 2 ? process.argv.slice(2) : [...moduleFiles.keys()];
for (const minor of minors) {
  const reference = references.find(({ name }) => name === `definitions-${minor}`);
  if (reference === undefined) throw new Error(`no program for ${minor}`);
  const questions = fixes.flatMap(({ before, after }) => [before, after]);
  const answers = await ask(build(reference), ['definitions'], questions);
  let refused = 0;
  for (const [index, { pair, patch }] of fixes.entries()) {
    const [before, after] = [answers[2 * index], answers[2 * index + 1]].map(
      (each) => new Set(listAt(each, 'update').map(stringifyJson)),
    );
    const now = [...(after ?? [])].filter((each) => before?.has(each) !== true);
    if (now.length === 0) continue;
    refused++;
    process.exitCode = 1;
    console.log(`${minor} refuses a fix of ${pair}: ${patch.slice(0, 200)}\n  ${now[0] ?? ''}`);
  }
  console.log(`Kubernetes ${minor}: ${fixes.length - refused} of ${fixes.length} accepted`);
}
