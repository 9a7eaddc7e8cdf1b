/** A scan as a person reads it at a prompt: one line per finding, what to do first on top. */
import { ruleNamed } from '../policy/index.js';
import type { Finding, Severity } from '../rule/index.js';
import type { CheckReport } from './check-report.js';
import { gravityOf } from './grouping.js';
import { presentable } from './presentable.js';
import { groupBy } from '../text/group.js';
import { firstOf } from './unchecked.js';
import { visible } from '../text/visible.js';
import { formatCounts } from './counts.js';
import { renderTable } from './table.js';

export function renderScanTable(report: CheckReport, unchecked: readonly string[]): string {
  const { results, counts } = presentable(report);
  const found = results
    .flatMap(({ name, verdict }) => verdict.findings.map((finding) => ({ name, finding })))
    .sort(
      (one, other) =>
        gravityOf(one.finding) - gravityOf(other.finding) ||
        reachOf(one.finding) - reachOf(other.finding) ||
        (one.name < other.name ? -1 : Number(one.name > other.name)),
    );
  const alike = groupBy(found, ({ finding: { severity, rule } }) => `${severity} ${rule}`);
  const rows = [...alike.values()].flatMap((group) => {
    const [{ finding: first }] = group;
    const { shown, more } = firstOf(group, mostAlike[first.severity]);
    return [
      ...shown.map(({ name, finding: { severity, rule, message } }) => [
        ...[severity, rule, name, message.replaceAll('\n', ' ')],
      ]),
      ...(more === 0 ? [] : [[first.severity, first.rule, `${more} more`, '-o json has them all']]),
    ];
  });
  const tables = [
    ...(rows.length === 0 ? [] : [renderTable(['SEVERITY', 'RULE', 'OBJECT', 'MESSAGE'], rows)]),
    ...byNamespace(found.map(({ finding }) => finding)),
  ];
  const notes = unchecked.map((sentence) => `unchecked: ${visible(sentence)}\n`).join('');
  const covered = results.flatMap(({ counted = [] }) =>
    counted.map((sentence) => `${visible(sentence)}\n`),
  );
  const gap = tables.length === 0 && notes === '' ? '' : '\n';
  return `${tables.join('\n')}${covered.join('')}${notes}${gap}${whatFirst(found)}${formatCounts(counts)}\n`;
}

/** Findings of one rule that are shown each: thousands of a kind would hide the others. */
const mostAlike: Readonly<Record<Severity, number>> = { error: 50, warning: 10, info: 10 };

const mostNamespaces = 20;

/** Problems of the whole cluster come first: much else follows from them. */
function reachOf({ rule }: Finding): number {
  const { subject, protects } = ruleNamed(rule) ?? {};
  if (subject === 'cluster' || protects === 'cluster') return 0;
  return protects === 'other-namespaces' ? 1 : 2;
}

function whatFirst([first]: readonly {
  readonly name: string;
  readonly finding: Finding;
}[]): string {
  if (first === undefined || first.finding.severity === 'info') return '';
  const { rule, fix } = first.finding;
  const instead = typeof fix === 'string' ? fix : ruleNamed(rule)?.instead;
  return instead === undefined ? '' : `First: ${first.name}: ${visible(instead)}\n`;
}

const columns: readonly (readonly [heading: string, Severity])[] = [
  ['ERRORS', 'error'],
  ['WARNINGS', 'warning'],
  ['NOTES', 'info'],
];

/** Where there is more to do than in one namespace: how much in each, most errors first. */
function byNamespace(findings: readonly Finding[]): string[] {
  const counted = new Map<string, number[]>();
  for (const { severity, object } of findings) {
    const namespace = object?.namespace ?? '(cluster)';
    const counts = counted.get(namespace) ?? columns.map(() => 0);
    counted.set(
      namespace,
      counts.map((count, index) => count + Number(columns[index]?.[1] === severity)),
    );
  }
  if (counted.size < 2) return [];
  const sorted = [...counted].sort(([one, left], [other, right]) => {
    const most = columns.map((_, index) => (right[index] ?? 0) - (left[index] ?? 0));
    return most.find((each) => each !== 0) ?? (one < other ? -1 : 1);
  });
  const rows = sorted
    .slice(0, mostNamespaces)
    .map(([namespace, counts]) => [namespace, ...counts.map(String)]);
  const more = sorted.length - rows.length;
  const table = renderTable(['NAMESPACE', ...columns.map(([heading]) => heading)], rows);
  return [more === 0 ? table : `${table}and ${more} more namespaces: -o json has them all\n`];
}
