/** Formats that CI servers read: GitHub's annotations, JUnit's XML and SARIF. */
import { renderedMark } from '../repository/index.js';
import type { Place } from '../text/documents/index.js';
import type { Severity, Finding } from '../rule/index.js';
import type { CheckReport, CheckResult, FindingNote } from './check-report.js';
import { qualifiedRuleName, ruleOfChange } from '../upgrade/index.js';
import { gravityOf, saidOf, type ReportedFinding } from './grouping.js';
import { abridgeUnchecked } from './unchecked.js';
import { messageDetails, formatLocation, renderPlace } from './wording.js';
import { createHash } from 'node:crypto';
import { ruleNamed } from '../policy/index.js';
import { version, filesUrl } from '../text/package.js';
import { mergeRemoved } from './removed.js';

// Names of files as reports link them.

/** A file of a commit stands for the one in the working tree; of a rendered template only the file is known. */
function linkOf(place: Place | undefined): Place {
  const { file, line, column } = place ?? {};
  if (file === undefined || file === '-' || file === '' || file.startsWith('cluster:')) return {};
  const inCommit = /^git:[^:]*:(.+)$/s.exec(file);
  const path = (inCommit?.[1] ?? file).replace(/^\.\//, '');
  if (path.endsWith(renderedMark)) return { file: path.slice(0, -renderedMark.length) };
  return { file: path, line, column };
}

// A check as annotations on the changed lines of a pull request. GitHub shows ten of each level in a
// step: the gravest of all results come first.
//
// Source: GitHub's documentation, "Workflow commands for GitHub Actions".

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

/** Counts of harmless changes are left to the summary: they would take the place of findings. */
function remarks({ name, verdict }: CheckResult): string[] {
  return verdict.warnings.map((warning) => command('warning', [['title', name]], warning));
}

function command(
  name: string,
  properties: readonly [string, string | number | undefined][],
  message: string,
): string {
  const given = properties
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [key, escapeData(String(value))] as const)
    .map(([key, text]) => `${key}=${text.replaceAll(':', '%3A').replaceAll(',', '%2C')}`);
  return `::${name} ${given.join(',')}::${escapeData(message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

// A check as CI servers read it: JUnit's XML, one test case for each thing that was judged.

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

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };

/** Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0. */
export function renderSarif({ results: all, warnings = [], unchecked = [] }: CheckReport): string {
  const results = all.map(mergeRemoved);
  const rules = new Map<string, { readonly index: number; readonly descriptor: object }>();
  for (const finding of results.flatMap(({ verdict }) => verdict.findings)) {
    const id = qualifiedRuleName(finding);
    if (!rules.has(id)) rules.set(id, { index: rules.size, descriptor: descriptor(id, finding) });
  }
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'olm-guard',
            version,
            informationUri: filesUrl,
            rules: [...rules.values()].map((rule) => rule.descriptor),
          },
        },
        invocations: [
          {
            executionSuccessful: results.length > 0 || unchecked.length === 0,
            toolExecutionNotifications: [
              ...warnings.map((text) => ({ level: 'warning', message: plain(text) })),
              ...results.flatMap(notifications),
              ...unchecked.map((text) => ({ level: 'error', message: plain(text) })),
            ],
          },
        ],
        results: results.flatMap((result) =>
          result.verdict.findings.map((finding, index) => ({
            ruleId: qualifiedRuleName(finding),
            ruleIndex: rules.get(qualifiedRuleName(finding))?.index ?? -1,
            level: levels[finding.severity],
            message: plain(
              [finding.message, ...messageDetails(finding, result.notes?.[index])].join('\n'),
            ),
            locations: [location(finding, result, result.places[index])],
            ...(finding.stored === undefined
              ? {}
              : { properties: { stored: finding.stored, storedFrom: finding.storedFrom } }),
            partialFingerprints: { 'cause/v1': fingerprint(result.name, finding) },
          })),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

/** Without links: viewers make one of `[text](target)`, which a name may hold. */
function plain(text: string): { readonly text: string } {
  return { text: text.replaceAll('](', '] (') };
}

/** The registry's entry of a rule; for a change, of the rule that is about its keyword. */
function descriptor(id: string, finding: Finding): object {
  const [name = '', change] = id.split('/');
  const rule = ruleNamed(ruleOfChange.get(change ?? '') ?? name) ?? ruleNamed(name);
  const helpUri = finding.docs;
  const tags = [finding.family, ...(finding.audience === undefined ? [] : [finding.audience])];
  const own = { id, name: change ?? name, helpUri, properties: { tags } };
  if (rule === undefined) return { ...own, help: { text: `See ${helpUri}` } };
  const { checks, why, instead, source, severity } = rule;
  const parts = [`Why: ${why}`, `Instead: ${instead}`, `Source: ${source}`];
  return {
    ...own,
    shortDescription: { text: checks },
    fullDescription: { text: why },
    defaultConfiguration: { level: levels[severity] },
    help: {
      text: [checks, ...parts, helpUri].join('\n'),
      markdown: [
        checks,
        ...parts.map((part) => part.replace(/^\w+:/, '**$&**')),
        `[${name}](${helpUri})`,
      ].join('\n\n'),
    },
  };
}

/** The same difference has the same one, wherever its line has moved. */
function fingerprint(name: string, finding: Finding): string {
  const { rule, version = '', path = '', message } = finding;
  const cause = finding.cause ?? `${rule} ${version} ${path} ${message}`;
  return createHash('sha256').update(`${name} ${cause}`).digest('hex');
}

function notifications({ name, verdict }: CheckResult): object[] {
  return verdict.warnings.map((warning) => ({
    level: 'warning',
    message: plain(`${name}: ${warning}`),
  }));
}

function location(finding: Finding, { name }: CheckResult, place: Place | undefined): object {
  const within = [name, formatLocation(finding, name)].filter((part) => part !== '');
  const logicalLocations = [{ fullyQualifiedName: within.join(' ') }];
  const { file, line, column } = linkOf(place);
  if (file === undefined) return { logicalLocations };
  const region = {
    ...(line !== undefined && { startLine: line }),
    ...(line !== undefined && column !== undefined && { startColumn: column }),
  };
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      ...(Object.keys(region).length === 0 ? {} : { region }),
    },
    logicalLocations,
  };
}

/** RFC 3986: a path of the working tree stays relative. */
function uriOf(file: string): string {
  const path = file.split('/').map(encodeURIComponent).join('/');
  return file.startsWith('/') ? `file://${path}` : path;
}
