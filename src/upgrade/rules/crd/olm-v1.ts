/** OLM v1 as of OpenShift 4.17: operator-controller v1.3.0, with OpenShift's text for a new required field. */
import type { Finding } from '../../../rule/index.js';
import { placeOfRemoved, type DocumentPlace } from '../../crd/place.js';
import { noExistingFieldRemoved } from './definitions.js';
import type { DefinitionVersion } from '../../crd/custom-resource-definition.js';
import type { ChangedField, Differences, NamedField } from '../../crd/difference.js';
import { Report } from './report.js';
import { definitionRules, olmPropertyRules } from './table.js';
import { schemaCheckerNotation } from '../../crd/schema.js';
import { servedPairs } from '../../crd/served-versions.js';
import type { Reference, Upgrade } from '../../crd/upgrade.js';
import { quote } from '../../../text/go/index.js';
import { groupBy } from '../../../text/group.js';

export interface ValidatorError {
  readonly validator: string;
  /** Lines, one for each difference. */
  readonly message: string;
}

export const olmReference: Reference = { notation: schemaCheckerNotation, emptyIsAbsent: false };

export const servedVersionValidator = 'ServedVersionValidator';
const changeValidator = 'ChangeValidator';

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

/** Runs the validator of served versions on the new definition alone. @throws InvalidInputError */
export function validateOlmServedVersions(upgrade: Upgrade): Report {
  const report = new Report(upgrade.next.name);
  validateServedVersions(upgrade, report);
  return report;
}

function errorsOf(lines: readonly ValidatorError[]): ValidatorError[] {
  return [...groupBy(lines, ({ validator }) => validator)].map(([validator, each]) => ({
    validator,
    message: each.map(({ message }) => message).join('\n'),
  }));
}

export function olmErrors(report: Report): ValidatorError[] {
  const omitted = report.summaries.map(({ rule, message }) => ({ validator: rule, message }));
  return errorsOf([...report.lines, ...omitted]);
}

/** A version with a removed field is one line, and no other change of it is. @param versions of OLD, in order */
export function olmErrorsOf(
  findings: readonly Finding[],
  versions: readonly string[],
): ValidatorError[] {
  const stopped = new Set(
    findings
      .filter(({ rule, reference = '' }) => rule === noExistingFieldRemoved.id || reference !== '')
      .map(({ rule, version }) => stopOf(rule, version)),
  );
  const lines: (ValidatorError & { readonly version: string | undefined })[] = [];
  const said = new Set<string>();
  for (const { rule: validator, version, message, reference } of findings) {
    if (reference === '' && stopped.has(stopOf(validator, version))) continue;
    const line = reference === undefined || reference === '' ? message : reference;
    if (line !== message && said.has(line)) continue;
    said.add(line);
    lines.push({ validator, version, message: line });
  }
  for (const version of versions) {
    if (!stopped.has(stopOf(changeValidator, version))) continue;
    lines.push({ validator: changeValidator, version, message: changesOf(version) });
  }
  const rank = ({ validator, version = '' }: (typeof lines)[number]): number => {
    if (validator !== changeValidator) return -1;
    const at = versions.indexOf(version);
    return at < 0 ? versions.length : at;
  };
  return errorsOf(lines.sort((left, right) => rank(left) - rank(right)));
}

const changesOf = (version: string): string =>
  `calculating schema diff for CRD version ${quote(version)}`;

function stopOf(rule: string, version: string | undefined): string {
  return `${rule === noExistingFieldRemoved.id ? changeValidator : rule} ${version ?? ''}`;
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
      removed: {
        line: `calculating schema diff between CRD versions ${from} and ${to}`,
        place: (field) => placeOfRemoved(field.spot, lower, higher),
      },
      subject: `version upgrade ${from} to ${to}`,
      unknown: `version ${from}`,
    });
  }
  // If no neighbours disagree, no two versions do.
  if (report.count > before) report.leaveOut(servedVersionValidator, leftOut);
}

function validateChanges(upgrade: Upgrade, report: Report): void {
  for (const previous of upgrade.old.versions) {
    const version = upgrade.next.version(previous.name);
    if (version === undefined) continue;
    const name = quote(version.name);
    const differences = upgrade.sameVersion(previous, version);
    if (differences.removed.length > 0) report.say(changeValidator, changesOf(version.name));
    validateFields(differences, report, {
      validator: changeValidator,
      version: version.name,
      target: version,
      subject: `version ${name}`,
      unknown: `version ${name}`,
    });
  }
}

interface Comparing {
  readonly validator: string;
  readonly version: string;
  readonly target: DefinitionVersion;
  /** Where no other rule names fields that the target lacks. */
  readonly removed?: {
    /** All that the reference says of them. */
    readonly line: string;
    readonly place: (field: NamedField) => DocumentPlace;
  };
  readonly subject: string;
  readonly unknown: string;
}

function validateFields(
  { removed, changed }: Differences,
  report: Report,
  { validator: rule, version, target, removed: missing, ...words }: Comparing,
): void {
  if (missing !== undefined && removed.length > 0) {
    report.say(rule, missing.line);
    const { line: reference, place } = missing;
    const fields = report.paths.inOrder(removed);
    for (const field of fields.reported) {
      const { path } = field;
      const message = `${words.subject}, field ${quote(path)}: missing from ${quote(target.name)}`;
      report.add({ rule, message, version, path, reference, place: place(field) });
    }
    if (fields.omitted.length > 0) {
      const message = `${words.subject}: ${fields.omitted.length} more fields are missing from ${quote(target.name)}`;
      const at = { side: 'new', keys: ['spec', 'versions', target.index] } as const;
      report.add({ rule, message, version, reference, place: at });
    }
  }
  const hidden = removed.length > 0 ? { reference: '' } : {};
  const { reported, omitted } = report.paths.inOrder(changed);
  for (const field of reported) {
    const { path } = field;
    const at = { side: 'new', version: target.index, spot: field.spot } as const;
    const unknown = explain(field, (keyword, text) => {
      const message = `${words.subject}, field ${quote(path)}: ${text}`;
      const place = { ...at, keyword };
      report.add({ rule, message, version, path, difference: text, place, ...hidden });
    });
    if (unknown.size === 0) continue;
    const message = `${words.unknown}, field ${quote(path)} has unknown change, refusing to determine that change is safe`;
    const keywords = [...unknown].sort();
    const difference = `unknown change of ${keywords.join(' ')}`;
    const place = keywords.length === 1 ? { ...at, keyword: keywords[0] as string } : at;
    report.add({ rule, message, version, path, difference, place, ...hidden });
  }
  // The reference does not report the other changes then, so they are not counted either.
  if (removed.length > 0) return;
  for (const field of omitted) {
    const unknown = explain(field, () => report.leaveOut(rule));
    if (unknown.size > 0) report.leaveOut(rule);
  }
}

/** In the reference's order, until all is explained. Returns the keywords that no rule explains. */
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
