/**
 * Profile `olm-v1`: the validators of OLM v1 as of OpenShift 4.17, which are those of
 * operator-controller v1.3.0 with OpenShift's text for a new required field.
 */
import type { Finding } from '../../finding.js';
import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import type { ChangedField, Differences } from '../../crd/difference.js';
import { Report } from './report.js';
import { definitionRules, olmPropertyRules } from './table.js';
import { schemaCheckerNotation } from '../../crd/schema.js';
import { servedPairs } from '../../crd/served-versions.js';
import type { Reference, Upgrade } from '../../crd/upgrade.js';
import { quote } from '../../text/go/index.js';

export interface ValidatorError {
  readonly validator: string;
  /** Lines, one for each difference. */
  readonly message: string;
}

export const olmReference: Reference = { notation: schemaCheckerNotation, emptyIsAbsent: false };

export const servedVersionValidator = 'ServedVersionValidator';
export const changeValidator = 'ChangeValidator';

/** Runs every validator, in the reference's order. @throws InvalidInputError */
export function validateOlm(upgrade: Upgrade): Report {
  const report = new Report(upgrade.next.name);
  for (const rule of definitionRules) {
    for (const { texts, ...difference } of rule.compare(upgrade)) {
      report.add({ rule: rule.id, message: texts['olm-v1'] ?? '', ...difference });
    }
  }
  validateServedVersions(upgrade, report);
  validateChanges(upgrade, report);
  return report;
}

/** What the validator of served versions says about the new definition by itself. @throws InvalidInputError */
export function validateOlmServedVersions(upgrade: Upgrade): Report {
  const report = new Report(upgrade.next.name);
  validateServedVersions(upgrade, report);
  return report;
}

/** One error for each validator that has something to say. */
export function olmErrors({
  findings,
}: {
  readonly findings: readonly Finding[];
}): ValidatorError[] {
  const lines = new Map<string, string[]>();
  for (const { rule, message } of findings) {
    const known = lines.get(rule);
    if (known === undefined) lines.set(rule, [message]);
    else known.push(message);
  }
  return [...lines].map(([validator, messages]) => ({ validator, message: messages.join('\n') }));
}

/** The whole text that OLM prints; empty when nothing is wrong. */
export function olmMessage(name: string, errors: readonly ValidatorError[]): string {
  if (errors.length === 0) return '';
  const blocks = errors.map(
    ({ validator, message }) =>
      `CustomResourceDefinition ${name} failed upgrade safety validation. ${quote(validator)} validation failed: ${message}`,
  );
  return `validating upgrade for CRD ${quote(name)} failed: ${blocks.join('\n')}`;
}

/** Compares served versions of the new definition only; a conversion webhook makes it superfluous. */
function validateServedVersions(upgrade: Upgrade, report: Report): void {
  if (upgrade.next.convertsByWebhook) return;
  const { pairs, leftOut } = servedPairs(upgrade.next);
  const before = report.count;
  for (const [lower, higher] of pairs) {
    const [from, to] = [quote(lower.name), quote(higher.name)];
    validateFields(upgrade.betweenVersions('new', lower, higher), report, {
      validator: servedVersionValidator,
      version: `${lower.name} -> ${higher.name}`,
      target: higher,
      removed: `calculating schema diff between CRD versions ${from} and ${to}`,
      subject: `version upgrade ${from} to ${to}`,
      unknown: `version ${from}`,
    });
  }
  // Where no neighbours disagree, nobody does.
  if (report.count > before) report.leaveOut(servedVersionValidator, leftOut);
}

function validateChanges(upgrade: Upgrade, report: Report): void {
  for (const previous of upgrade.old.versions) {
    const version = upgrade.next.version(previous.name);
    if (version === undefined) continue;
    const name = quote(version.name);
    validateFields(upgrade.sameVersion(previous, version), report, {
      validator: changeValidator,
      version: version.name,
      target: version,
      removed: `calculating schema diff for CRD version ${name}`,
      subject: `version ${name}`,
      unknown: `version ${name}`,
    });
  }
}

interface Comparing {
  readonly validator: string;
  readonly version: string;
  /** The version whose schema the findings stand in. */
  readonly target: DefinitionVersion;
  readonly removed: string;
  readonly subject: string;
  readonly unknown: string;
}

function validateFields(
  { removed, changed }: Differences,
  report: Report,
  { validator: rule, version, target, ...words }: Comparing,
): void {
  if (removed.length > 0) {
    const { told, others } = report.paths.inOrder(removed);
    const paths = told.map(({ path }) => path);
    if (others.length > 0) paths.push(`and ${others.length} more`);
    const place = { side: 'new', keys: ['spec', 'versions', target.index] } as const;
    const difference = `removed ${paths.join(' ')}`;
    report.add({ rule, message: words.removed, version, difference, place });
    return;
  }
  const { told, others } = report.paths.inOrder(changed);
  for (const field of told) {
    const { path } = field;
    const at = { side: 'new', version: target.index, spot: field.spot } as const;
    const unknown = explain(field, (keyword, text) => {
      const message = `${words.subject}, field ${quote(path)}: ${text}`;
      report.add({ rule, message, version, path, difference: text, place: { ...at, keyword } });
    });
    if (unknown.size === 0) continue;
    const message = `${words.unknown}, field ${quote(path)} has unknown change, refusing to determine that change is safe`;
    const difference = `unknown change of ${[...unknown].sort().join(' ')}`;
    report.add({ rule, message, version, path, difference, place: at });
  }
  for (const field of others) {
    const unknown = explain(field, () => report.leaveOut(rule));
    if (unknown.size > 0) report.leaveOut(rule);
  }
}

/**
 * Tells each known difference in the reference's order, until nothing of the change is left to explain.
 * Returns the keywords that no rule explains.
 */
function explain(
  field: ChangedField,
  tell: (keyword: string, text: string) => void,
): ReadonlySet<string> {
  const left = new Set(field.keywords);
  for (const rule of olmPropertyRules) {
    const text = left.has(rule.keyword)
      ? rule.compare(field.old, field.new)?.['olm-v1']
      : undefined;
    if (text !== undefined) tell(rule.keyword, text);
    left.delete(rule.keyword);
    if (left.size === 0) break;
  }
  return left;
}
