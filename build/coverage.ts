/** docs/coverage.md: what the public documents say, row by row, and the test that shows it. */
import { groupBy } from '../src/text/group.js';
import rows from './coverage.json' with { type: 'json' };

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

Made from [build/coverage.json](../build/coverage.json) by \`npm run docs\`: each statement of the documents that olm-guard is made for, in our words, the rule or operation that answers, which links to the test, and in parentheses where it is asked. The JSON has the titles of the tests. A test fails when one of them is gone.

“gate” is the webhook on an API server with [the policy of base](../manifests/base/policy.yaml), which every overlay has that names no other; “gate \`documented\`” has that of [overlays/documented](../manifests/overlays/documented/policy.yaml), which denies what the documents prescribe. Commands and operations answer as without options. Where the reference differs from a document, the [rule](rules.md) says so.
`;

export function coverageDocument(): string {
  const documents = [...new Set(coverageRows.map(({ document }) => document))];
  return [introduction, ...documents.map(sectionOf)].join('\n');
}

function sectionOf(document: string): string {
  const rows = coverageRows.filter((row) => row.document === document);
  const usual = mostFrequent(rows.flatMap(({ door }) => door ?? []));
  const where = rows.map(({ section, door }) => {
    const title = `**${escaped(section)}**`;
    return door === undefined || door === usual ? title : `${title} (${shortDoor(door)})`;
  });
  const lines = rows.map(({ says, notJudged, by = '', test, gate }) => {
    const atGate = gate === undefined ? '' : ` ([gate](../${gate.file}))`;
    const answer = test === undefined ? notJudged : `[${by}](../${test.file})${atGate}`;
    return `${escaped(says)}: ${answer ?? by}`;
  });
  const items = lines.map((line, at) => {
    if (where[at] === where[at - 1]) return `  - ${line}`;
    const title = `- ${where[at] ?? ''}:`;
    return where[at] === where[at + 1] ? `${title}\n  - ${line}` : `${title} ${line}`;
  });
  return `## ${document}\n\nAsked here unless a line says otherwise: ${shortDoor(usual)}.\n\n${items.join('\n')}\n`;
}

function mostFrequent(names: readonly string[]): string {
  const counts = [...groupBy(names, (name) => name)];
  counts.sort(([, one], [, other]) => other.length - one.length);
  return counts[0]?.[0] ?? '';
}

const shortDoor = (door: string): string =>
  door
    .replaceAll('webhook on an API server (base)', 'gate')
    .replaceAll('webhook on an API server (overlays/documented)', 'gate `documented`');

const escaped = (text: string): string => text.replaceAll(/[*_<>[\]]/g, '\\$&');
