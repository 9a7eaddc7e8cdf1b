/**
 * How to get rid of a stored version before it is removed.
 *
 * Source: Kubernetes' documentation, "Versions in CustomResourceDefinitions", section "Upgrade
 * existing objects to a new stored version".
 */
import { formatCount } from '../../../text/plural.js';
import { type JsonObject, metaOf, own } from '../../../text/documents/index.js';
import { versionEntries } from '../../crd/named-versions.js';
import { valueAt, textAt, flagAt, textsAt } from '../../../text/documents/fields.js';
import { type Finding, referenceToDefinition } from '../../../rule/index.js';
import {
  pluralOfKind,
  describeStored,
  severityOfUnseen,
  type Counted,
  type StoredSubject,
} from './findings.js';
import { storedVersionMigration, storedVersionUnproven } from './rules.js';

/** Far more than any definition has; an API server keeps no version here that is not in the spec. */
const maxNamed = 50;

/** @param objects how many are stored, in whichever version, where that is known and may be shown */
export function migrationFindings(old: JsonObject, next: JsonObject, objects?: number): Finding[] {
  const stored = new Set(storedVersionsOf(old));
  const remaining = versionNames(next);
  const names = new Set(remaining.map((each) => each.name));
  const removed = [...stored].filter((version) => !names.has(version));
  if (removed.length === 0) return [];
  const name = metaOf(old).name;
  const kind = textAt(old, 'spec', 'names', 'kind') ?? '';
  const target = remaining.find(({ storage }) => storage)?.name;
  const storage = versionNames(old).find((version) => version.storage)?.name;
  const first =
    storage !== undefined && names.has(storage)
      ? 'first'
      : `first let an earlier release make ${target ?? 'another version'} the storage version, then`;
  const may =
    objects === undefined
      ? 'objects may be stored that way'
      : objects === 0
        ? `objects may be stored that way, though there are no ${pluralOfKind(kind, 0)} now`
        : `up to ${formatCount(objects)} ${pluralOfKind(kind, objects)} may be stored that way`;
  return removed.slice(0, maxNamed).map((version) =>
    storedVersionMigration.finding({
      id: 'stored',
      data: { version, name, objects: may, first },
      version,
      object: referenceToDefinition(name),
    }),
  );
}

export function trimmedVersions(old: JsonObject, next: JsonObject): string[] {
  const kept = new Set(storedVersionsOf(next));
  return storedVersionsOf(old).filter((version) => !kept.has(version));
}

/**
 * Managers that wrote status.storedVersions. An API server adds a version there itself once it is the
 * storage version, and owns no field for it: where no manager wrote it, a version that it does not name was
 * never stored.
 *
 * @returns undefined where managedFields were cleared, so that nothing tells
 */
export function storedVersionsWriters(definition: JsonObject): string[] | undefined {
  const { managedFields } = metaOf(definition);
  if (managedFields.length === 0) return undefined;
  return managedFields
    .filter((entry) => {
      return valueAt(entry, 'fieldsV1', 'f:status', 'f:storedVersions') !== undefined;
    })
    .map((entry) => own(entry, 'manager'))
    .map((manager) => (typeof manager === 'string' ? manager : 'somebody'));
}

export function unnamedVersions(old: JsonObject, next: JsonObject): string[] {
  if (storedVersionsWriters(old)?.length === 0) return [];
  const kept = new Set(versionNames(next).map((version) => version.name));
  return trimmableVersions(old).filter((version) => !kept.has(version));
}

/** Without that record in managedFields they pass for versions that were never stored. */
export function unrecordedVersions(old: JsonObject, next: JsonObject): string[] {
  if (!storedVersionsWriters(old)?.length || storedVersionsWriters(next)?.length) return [];
  const kept = new Set(versionNames(next).map((version) => version.name));
  return trimmableVersions(old).filter((version) => kept.has(version));
}

function trimmableVersions(definition: JsonObject): string[] {
  const stored = new Set(storedVersionsOf(definition));
  return versionNames(definition)
    .map((version) => version.name)
    .filter((version) => !stored.has(version));
}

export interface UnprovenVersions {
  readonly versions: readonly string[];
  /** `record`: the entry of managedFields. The status only warns, for Kubernetes and every migrator write it. */
  readonly leave: 'status' | 'record' | 'spec';
  /** Why nothing shows that no object is stored in them. */
  readonly why: string;
}

export function unprovenFinding(
  subject: StoredSubject,
  { versions, leave, why }: UnprovenVersions,
  counted: Counted,
  isDenied: boolean,
): Finding {
  const { name } = subject;
  const list = versions.slice(0, maxNamed);
  const leaving = list.join(', ');
  const is = list.length === 1 ? 'is' : 'are';
  const it = list.length === 1 ? 'it' : 'them';
  const objects =
    'unseen' in counted
      ? `stored ${pluralOfKind(subject.kind, 2)}`
      : describeStored(subject, counted);
  const unseen = 'unseen' in counted ? `, and their number is unknown: ${counted.unseen}` : '';
  const command = `olm-guard migrate run ${name} ${list.map((version) => `--leaving ${version}`).join(' ')}`;
  const unshown = `nothing shows that none of ${objects} is stored in ${it} (${why}${unseen})`;
  const later = `once ${leaving} ${is} removed from the definition, such an object can be neither read nor listed`;
  return storedVersionUnproven.finding({
    id: leave,
    data: { name, leaving, versions: `${leaving} ${is}`, unshown, later, command },
    severity: severityOfUnseen({ isDenied: isDenied && leave !== 'status' }),
    effect: 'data-loss',
    object: referenceToDefinition(name),
    fix: command,
  });
}

function storedVersionsOf(definition: JsonObject): string[] {
  return textsAt(definition, 'status', 'storedVersions');
}

function versionNames(definition: JsonObject): { name: string; storage: boolean }[] {
  return versionEntries(definition).map((each) => ({
    name: textAt(each, 'name') ?? '',
    storage: flagAt(each, 'storage'),
  }));
}
