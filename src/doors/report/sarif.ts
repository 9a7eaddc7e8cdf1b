/**
 * A check as code scanning services read it: SARIF 2.1.0.
 *
 * Source: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.
 */
import type { Place } from '../../text/documents/index.js';
import type { Finding, Severity } from '../../finding.js';
import { version } from '../version.js';
import type { CheckReport, CheckResult } from './check-report.js';
import { fileOf } from './file-name.js';
import { besideMessage, whereWords } from './wording.js';

const levels: Record<Severity, string> = { error: 'error', warning: 'warning', info: 'note' };

export function renderSarif({ results }: CheckReport): string {
  const rules = new Map<string, { index: number; docs: string }>();
  for (const { rule, docs } of results.flatMap(({ verdict }) => verdict.findings)) {
    if (!rules.has(rule)) rules.set(rule, { index: rules.size, docs });
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
            rules: [...rules].map(([id, { docs }]) => ({ id, help: { text: `See ${docs}` } })),
          },
        },
        invocations: [
          {
            executionSuccessful: true,
            toolExecutionNotifications: results.flatMap(notifications),
          },
        ],
        results: results.flatMap((result) =>
          result.verdict.findings.map((finding, index) => ({
            ruleId: finding.rule,
            ruleIndex: rules.get(finding.rule)?.index ?? -1,
            level: levels[finding.severity],
            message: {
              text: [finding.message, ...besideMessage(finding, result.notes?.[index])].join('\n'),
            },
            locations: [location(finding, result, result.places[index])],
            ...(finding.cause === undefined
              ? {}
              : { partialFingerprints: { 'cause/v1': `${result.name} ${finding.cause}` } }),
          })),
        ),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function notifications({ name, verdict }: CheckResult): object[] {
  return verdict.warnings.map((warning) => ({
    level: 'warning',
    message: { text: `${name}: ${warning}` },
  }));
}

function location(finding: Finding, { name }: CheckResult, place: Place | undefined): object {
  const within = [name, whereWords(finding, name)].filter((part) => part !== '');
  const logicalLocations = [{ fullyQualifiedName: within.join(' ') }];
  const file = fileOf(place);
  if (file === undefined) return { logicalLocations };
  const region = {
    ...(place?.line === undefined ? {} : { startLine: place.line }),
    ...(place?.line === undefined || place.column === undefined
      ? {}
      : { startColumn: place.column }),
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
