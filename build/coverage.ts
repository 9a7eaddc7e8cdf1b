/** docs/coverage.md: what the public documents say, row by row, and the test that shows it. */
import rows from './coverage.json' with { type: 'json' };
import { table } from './rules-document.js';

/** One statement of a document, in our words. */
interface CoverageRow {
  readonly document: string;
  readonly section: string;
  readonly says: string;
  /** Why there is nothing to judge; such a row has no test. */
  readonly notJudged?: string;
  /** The rule, operation or command that answers. */
  readonly by?: string;
  /** Where it is asked. */
  readonly door?: string;
  readonly test?: TestName;
  /** What shows it at a gate on an API server, where the test asks at another door. */
  readonly gate?: TestName;
}

interface TestName {
  readonly file: string;
  /** A text of the file. */
  readonly name: string;
}

export const coverageRows: readonly CoverageRow[] = rows;

const introduction = `# What the documents say

Made from [build/coverage.json](../build/coverage.json) by \`npm run docs\`. Every statement of the documents that olm-guard is made for, in our words, with the rule or operation that answers, where it is asked, and the tests that show it. A test fails when one of them is gone. Where a webhook on an API server answers, the gate runs with the policy that is named: \`base\` ([manifests/base/policy.yaml](../manifests/base/policy.yaml), which every overlay has that names no other) or that of an overlay; commands and operations answer as they do without options, where none is named. How the reference differs from a document is said by the rule, in [rules.md](rules.md).
`;

export function coverageDocument(): string {
  const documents = [...new Set(coverageRows.map(({ document }) => document))];
  return [introduction, ...documents.map(sectionOf)].join('\n');
}

function sectionOf(document: string): string {
  const lines = coverageRows
    .filter((row) => row.document === document)
    .map(({ section, says, notJudged, by = '', door = '', test, gate }) => [
      section,
      escaped(says),
      notJudged ?? by,
      door,
      [test, gate].flatMap((each) => (each === undefined ? [] : [linkTo(each)])).join('; '),
    ]);
  return `## ${document}\n\n${table(['Section', 'What it says', 'Answered by', 'Where', 'Test'], lines)}`;
}

const linkTo = ({ file, name }: TestName): string => `[${file}](../${file}): ${escaped(name)}`;

const escaped = (text: string): string => text.replaceAll(/[*_<>]/g, '\\$&');
