/**
 * A check as annotations on the changed lines of a pull request. GitHub shows ten of each level in a
 * step: the gravest of all results come first.
 *
 * Source: GitHub's documentation, "Workflow commands for GitHub Actions".
 */
import type { Severity } from '../rule/index.js';
import type { CheckReport, CheckResult } from './check-report.js';
import { qualifiedRuleName } from '../upgrade/index.js';
import { linkOf } from './file-name.js';
import { gravityOf, saidOf, type ReportedFinding } from './grouping.js';
import { abridgeUnchecked } from './unchecked.js';
import { messageDetails, formatLocation } from './wording.js';

const commands: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'notice' };

/** One command per line. */
export function renderGithub({
  results,
  warnings = [],
  unchecked = [],
  failed,
}: CheckReport): string {
  const { file, line, column } = linkOf(failed);
  const at: [string, string | number | undefined][] = [
    ['file', file],
    ['line', line],
    ['col', column],
    ['title', 'unchecked'],
  ];
  const kind = failed === undefined ? 'warning' : 'error';
  const blind = abridgeUnchecked(unchecked).map((sentence) => command(kind, at, sentence));
  const warned = warnings.map((sentence) => command('warning', [['title', 'olm-guard']], sentence));
  const findings = results
    .flatMap((result) => saidOf(result).map((said) => ({ name: result.name, said })))
    .sort((left, right) => gravityOf(left.said.finding) - gravityOf(right.said.finding));
  const lines = [
    ...warned,
    ...findings.map(({ name, said }) => annotation(name, said)),
    ...results.flatMap(remarks),
    ...blind,
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function annotation(name: string, { finding, place, note }: ReportedFinding): string {
  const { file, line, column } = linkOf(place);
  const where = formatLocation(finding, name);
  const properties: [string, string | number | undefined][] = [
    ['file', file],
    ['line', line],
    ['col', column],
    ['title', qualifiedRuleName(finding)],
  ];
  const about = [name, where].filter((part) => part !== '').join(' ');
  const text = [`${about}: ${finding.message}`, ...messageDetails(finding, note)];
  return command(commands[finding.severity], properties, text.join('\n'));
}

function remarks({ name, verdict, counted = [] }: CheckResult): string[] {
  const titled: [string, string][] = [['title', name]];
  return [
    ...verdict.warnings.map((warning) => command('warning', titled, warning)),
    ...counted.map((sentence) => command('notice', titled, `${name}: ${sentence}`)),
  ];
}

function command(
  name: string,
  properties: readonly [string, string | number | undefined][],
  message: string,
): string {
  const given = properties
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${escapeProperty(String(value))}`);
  return `::${name} ${given.join(',')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
