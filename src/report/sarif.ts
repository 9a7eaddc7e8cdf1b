/** Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0. */
import { createHash } from 'node:crypto';
import { qualifiedRuleName, ruleOfChange } from '../upgrade/index.js';
import { ruleNamed } from '../policy/index.js';
import type { Place } from '../text/documents/index.js';
import type { Finding, Severity } from '../rule/index.js';
import { version, filesUrl } from '../text/package.js';
import type { CheckReport, CheckResult } from './check-report.js';
import { linkOf } from './file-name.js';
import { mergeRemoved } from './removed.js';
import { messageDetails, formatLocation } from './wording.js';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };

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
