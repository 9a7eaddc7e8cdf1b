/** A check as a person reads it at a prompt. */
import type { Place } from '../documents/index.js';
import type { Finding } from '../finding.js';
import type { CheckReport, CheckResult } from './check-report.js';

/** Findings under what they are about, each with file and line, and one last line that counts. */
export function renderText(report: CheckReport): string {
  const sections = report.results.filter(hasSomethingToSay).map(renderResult);
  return [...sections, `${renderCounts(report)}\n`].join('\n');
}

function hasSomethingToSay({ verdict }: CheckResult): boolean {
  return !verdict.allowed || verdict.findings.length > 0 || verdict.warnings.length > 0;
}

function renderResult({ name, verdict, places }: CheckResult): string {
  const decision = verdict.allowed ? 'allowed' : 'denied';
  const by = verdict.bypassedBy === undefined ? '' : ` (switched off by ${verdict.bypassedBy})`;
  const findings = verdict.findings.map((finding, index) => renderFinding(finding, places[index]));
  const warnings = verdict.warnings.map((warning) => `  warning: ${warning}\n`);
  return [`${name}: ${decision}${by}\n`, ...findings, ...warnings].join('');
}

function renderFinding(finding: Finding, place: Place | undefined): string {
  const where = [finding.version, finding.path].filter((part) => part !== undefined).join(' ');
  const head = [renderPlace(place), finding.severity, finding.rule, where];
  const text = finding.message.replaceAll('\n', '\n      ');
  const fix = typeof finding.fix === 'string' ? `      fix: ${finding.fix}\n` : '';
  return `  ${head.filter((part) => part !== '').join('  ')}\n      ${text}\n${fix}`;
}

/** `file:line:column`, as editors and terminals link it. */
export function renderPlace(place: Place | undefined): string {
  return [place?.file, place?.line, place?.column].filter((part) => part !== undefined).join(':');
}

export function renderCounts({ subject, counts }: CheckReport): string {
  const words = Object.entries(counts).map(
    ([name, count]) => `${count} ${name.replaceAll(/(?=[A-Z])/g, ' ').toLowerCase()}`,
  );
  return `${subject}: ${words.join(', ')}`;
}
