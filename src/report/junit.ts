/** A check as CI servers read it: JUnit's XML, one test case for each thing that was judged. */
import type { Place } from '../text/documents/index.js';
import type { Finding } from '../rule/index.js';
import { qualifiedRuleName } from '../upgrade/index.js';
import type { CheckReport, CheckResult, FindingNote } from './check-report.js';
import { messageDetails, formatLocation, renderPlace } from './wording.js';

/** A check that could not be made is a test that ended in an error: CI servers show it, and count it apart. */
export function renderJunit({
  subject,
  results,
  warnings = [],
  unchecked = [],
}: CheckReport): string {
  const failures = results.filter(({ verdict }) => !verdict.allowed).length;
  const numbers = `tests="${results.length + unchecked.length}" failures="${failures}" errors="${unchecked.length}"`;
  const said = warnings.map((sentence) => `warning: ${sentence}`).join('\n');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<testsuites name="olm-guard" ${numbers}>\n`,
    `  <testsuite name="${escape(subject)}" ${numbers}>\n`,
    ...results.map((result) => renderCase(result, subject)),
    ...unchecked.map((sentence, index) => renderUnchecked(sentence, index, subject)),
    warnings.length === 0 ? '' : `    <system-out>${escape(said)}</system-out>\n`,
    '  </testsuite>\n',
    '</testsuites>\n',
  ].join('');
}

function renderUnchecked(sentence: string, index: number, subject: string): string {
  const head = `    <testcase classname="${escape(subject)}" name="unchecked ${index + 1}">`;
  return `${head}\n      <error message="${escape(sentence)}" type="unchecked"/>\n    </testcase>\n`;
}

function renderCase(
  { name, verdict, places, notes, counted = [] }: CheckResult,
  subject: string,
): string {
  const head = `    <testcase classname="${escape(subject)}" name="${escape(name)}"`;
  const lines = (only: (finding: Finding) => boolean): string[] =>
    verdict.findings.flatMap((finding, index) =>
      only(finding) ? [renderFinding(finding, name, places[index], notes?.[index])] : [],
    );
  const failed = verdict.allowed ? [] : lines(({ severity }) => severity === 'error');
  const said = [
    ...lines(({ severity }) => verdict.allowed || severity !== 'error'),
    ...counted,
    ...verdict.warnings.map((warning) => `warning: ${warning}`),
  ];
  const inside: string[] = [];
  if (!verdict.allowed) {
    const rules = [
      ...new Set(
        verdict.findings
          .filter(({ severity }) => severity === 'error')
          .map((finding) => qualifiedRuleName(finding)),
      ),
    ];
    const summary = rules.length === 0 ? 'denied' : `denied by ${rules.join(', ')}`;
    inside.push(
      `      <failure message="${escape(summary)}" type="denied">${escape(failed.join('\n'))}</failure>\n`,
    );
  }
  if (said.length > 0) inside.push(`      <system-out>${escape(said.join('\n'))}</system-out>\n`);
  return inside.length === 0 ? `${head}/>\n` : `${head}>\n${inside.join('')}    </testcase>\n`;
}

function renderFinding(
  finding: Finding,
  judged: string,
  place: Place | undefined,
  note: FindingNote | undefined,
): string {
  const { severity, message } = finding;
  const rule = qualifiedRuleName(finding);
  const words = [renderPlace(place), severity, rule, formatLocation(finding, judged)];
  const head = words.filter((part) => part !== '').join(' ');
  return [`${head}: ${message}`, ...messageDetails(finding, note)].join('\n  ');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
