/**
 * The table in docs/verdicts.md of what the servers of each minor refuse of public releases. The releases are not
 * in this repository: `npx tsx bench/definition.ts --write` counts them into refused-releases.json.
 */
import { pageFile } from '../src/rule/finding.js';
import refused from './refused-releases.json' with { type: 'json' };
import { table } from './rules-document.js';

const begin = '<!-- counted by npx tsx bench/definition.ts --write -->';
const end = '<!-- end -->';

/** What one minor refuses, and how many definitions for the reason of each rule. */
interface Refused {
  readonly definitions: number;
  readonly rules: Readonly<Record<string, number>>;
}

type Row = Readonly<Record<'create' | 'update', Refused>>;

/** @param page text of docs/verdicts.md, whose table is made anew */
export function withRefusedReleases(page: string): string {
  const [before = '', rest = ''] = page.split(begin);
  const [, after = ''] = rest.split(end);
  return `${before}${begin}\n\n${refusals()}\n${refused.tooLargeToApply} of them are too large for \`kubectl apply\` without \`--server-side\`.\n\n${end}${after}`;
}

function refusals(): string {
  const groups: { first: string; last: string; row: Row }[] = [];
  for (const [minor, row] of Object.entries<Row>(refused.minors)) {
    const group = groups.at(-1);
    if (group !== undefined && JSON.stringify(group.row) === JSON.stringify(row))
      group.last = minor;
    else groups.push({ first: minor, last: minor, row });
  }
  return table(
    ['Kubernetes', 'refused on create', 'refused as an update'],
    groups.map(({ first, last, row }) => [
      first === last ? first : `${first} to ${last}, each`,
      words(row.create),
      words(row.update),
    ]),
  );
}

function words({ definitions, rules }: Refused): string {
  const reasons = Object.entries(rules).map(([rule, count]) => `${count} ${link(rule)}`);
  return reasons.length === 0 ? String(definitions) : `${definitions}: ${reasons.join(', ')}`;
}

const link = (rule: string): string => `[${rule}](${pageFile(rule).replace('docs/', '')})`;
