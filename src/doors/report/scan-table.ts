/** A scan as a person reads it at a prompt: one line per finding, the worst first. */
import type { Finding, Severity } from '../../finding.js';
import type { CheckReport } from './check-report.js';
import { presentable } from './presentable.js';
import { visible } from '../../text/visible.js';
import { countWords } from './counts.js';

const severities: readonly Severity[] = ['error', 'warning', 'info'];

export function renderScanTable(report: CheckReport, unchecked: readonly string[]): string {
  const { results, counts } = presentable(report);
  const rows = results
    .flatMap(({ name, verdict }) => verdict.findings.map((finding) => ({ name, finding })))
    .sort((a, b) => rank(a.finding) - rank(b.finding))
    .map(({ name, finding }) => [
      finding.severity,
      finding.rule,
      name,
      finding.message.replaceAll('\n', ' '),
    ]);
  const table =
    rows.length === 0 ? '' : renderRows([['SEVERITY', 'RULE', 'OBJECT', 'MESSAGE'], ...rows]);
  const notes = unchecked.map((sentence) => `unchecked: ${visible(sentence)}\n`).join('');
  const gap = table === '' && notes === '' ? '' : '\n';
  return `${table}${notes}${gap}${countWords(counts)}\n`;
}

function rank({ severity }: Finding): number {
  return severities.indexOf(severity);
}

/** The last column is as wide as it is. */
function renderRows(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((column) =>
    rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), 0),
  );
  return rows
    .map((row) => `${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}\n`)
    .join('');
}
