/**
 * `npm run reference`: asks the reference programs the questions of the golden rows again, and names
 * every row whose answer differs. With names as arguments only those references
 * (`npm run reference -- versions definitions-1.36`); with `--write` differing rows get the new
 * answer. Exit code 1 when an answer differs. `by-minor` asks what the tables of minors say, `deployment-config` is a table that sources are read for;
 * `upstream` names newer releases of what is followed, which are no difference.
 */
import { isDeepStrictEqual } from 'node:util';
import { stringifyJson } from '../../src/text/documents/index.js';
import { countsOf, tally, unexplained, type Suite } from '../conformance/suite.js';
import { goldenRows, type GoldenRow } from '../golden/golden.js';
import { exhaustiveRegexp } from './exhaustive-regexp.js';
import { moduleFiles } from './kubernetes/module-files.js';
import { ask, build, writeRows } from './program.js';
import { references, type Reference } from './references.js';
import { newestKnown } from './upstream.js';

const shown = 10;

/** How many rows differ. */
async function compare(reference: Reference, file: string, isWriting: boolean): Promise<number> {
  const rows = goldenRows(file);
  const questions = rows.map((row) => stringifyJson(reference.question(row)));
  const answers = await ask(build(reference), reference.args ?? [], questions);
  let differing = 0;
  const renewed = rows.map((row, index): GoldenRow => {
    const answer = answers[index] ?? {};
    const differences = reference.differences(row, answer);
    if (differences.length === 0) return row;
    if (++differing <= shown) {
      console.log(
        `  ${row.id}: ${differences.join(', ')}\n    ${stringifyJson(answer).slice(0, 500)}`,
      );
    }
    return reference.renewed(row, answer);
  });
  console.log(`${reference.name}: ${file}: ${rows.length} rows, ${differing} differ`);
  if (isWriting && differing > 0) writeRows(file, renewed);
  return differing;
}

/** A public suite that takes minutes: how many answers differ without a reason, and whether counts do. */
async function count(suite: Suite, isWriting: boolean): Promise<number> {
  const counted = tally(suite);
  const unknown = unexplained(suite, counted);
  for (const each of unknown.slice(0, shown)) console.log(`  ${each.slice(0, 500)}`);
  const counts = countsOf(suite, counted);
  const { keep, kept } = await import('../conformance/page.js');
  const isKept = kept().some((each) => isDeepStrictEqual(each, counts));
  const { name, asked, same } = counts;
  console.log(
    `${name}: ${asked} questions, ${same} the same, ${unknown.length} differ without a reason`,
  );
  if (!isKept && isWriting) keep(counts);
  else if (!isKept) console.log('  these are not the counts of docs/conformance.md');
  return unknown.length + (isKept || isWriting ? 0 : 1);
}

/** Suites that are asked by name. */
const countedSuites: Readonly<Record<string, () => Promise<Suite> | Suite>> = {
  re2: exhaustiveRegexp,
  ...Object.fromEntries(
    [...moduleFiles.keys()].map((minor) => [
      `tables-${minor}`,
      async () => (await import('./kubernetes/tables.js')).tablesSuite(minor),
    ]),
  ),
};

const asked = process.argv.slice(2);
const isWriting = asked.includes('--write');
const names = asked.filter((name) => name !== '--write');
const known = [...references.map(({ name }) => name), 'by-minor', 'deployment-config', 'upstream', ...Object.keys(countedSuites)]; // prettier-ignore
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no such reference: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  process.exit(2);
}
let differing = 0;
for (const reference of references) {
  if (names.length > 0 && !names.includes(reference.name)) continue;
  for (const file of reference.rows) differing += await compare(reference, file, isWriting);
}
if (names.length === 0 || names.includes('by-minor')) {
  // Other programs ask for the answers that rows get; a table is learned by `npm run minor`.
  const { differing: otherwise } = await import('./kubernetes/by-minor.js');
  const sentences = await otherwise();
  for (const sentence of sentences) console.log(`by-minor: ${sentence}`);
  differing += sentences.length;
}
if (names.length === 0 || names.includes('deployment-config')) {
  const { isDifferent, write } = await import('./operator-controller/deployment-config.js');
  if (isWriting) write();
  else if (isDifferent()) {
    console.log('deployment-config: deployment-config.json is not what the schema says');
    differing++;
  }
}
for (const [name, suite] of Object.entries(countedSuites)) {
  if (names.length === 0 || names.includes(name))
    differing += await count(await suite(), isWriting);
}
if (names.length === 0 || names.includes('upstream')) {
  for (const sentence of newestKnown()) console.log(`upstream: ${sentence}`);
}
process.exitCode = differing > 0 ? 1 : 0;
