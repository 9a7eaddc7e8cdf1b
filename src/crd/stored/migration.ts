/**
 * How to get rid of a stored version before it is removed.
 *
 * Source: Kubernetes' documentation, "Versions in CustomResourceDefinitions", section "Upgrade
 * existing objects to a new stored version".
 */
import { isObject, type JsonObject, metaOf, own } from '../../text/documents/index.js';
import type { Finding } from '../../finding.js';
import { count, finding, plural, storedRules } from './findings.js';

/** Far more than any definition has; an API server keeps no version here that is not in the spec. */
const maxNamed = 50;

/**
 * A warning with the command for each version that is removed and still in status.storedVersions.
 *
 * @param objects how many are stored, in whichever version, where that is known and may be told
 */
export function migrationFindings(old: JsonObject, next: JsonObject, objects?: number): Finding[] {
  const stored = new Set(textList(own(objectOf(old, 'status'), 'storedVersions')));
  const remaining = versionNames(next);
  const names = new Set(remaining.map((each) => each.name));
  const removed = [...stored].filter((version) => !names.has(version));
  if (removed.length === 0) return [];
  const name = metaOf(old).name;
  const kind = textOf(own(objectOf(objectOf(old, 'spec'), 'names'), 'kind'));
  const target = remaining.find(({ storage }) => storage)?.name;
  const storage = versionNames(old).find((version) => version.storage)?.name;
  const first =
    storage !== undefined && names.has(storage)
      ? 'first'
      : `first let an earlier release make ${target ?? 'another version'} the storage version, then`;
  const way = `${first}: olm-guard migrate run ${name}, which writes every object once and takes the version out`;
  const may =
    objects === undefined
      ? 'objects may be stored that way'
      : objects === 0
        ? `objects may be stored that way, though there are no ${plural(kind, 0)} now`
        : `up to ${count(objects)} ${plural(kind, objects)} may be stored that way`;
  return removed.slice(0, maxNamed).map((version) => {
    const message = `${version} is still in status.storedVersions of ${name}, so ${may}; ${way}`;
    return { ...finding({ name, kind }, storedRules.migration, 'warning', message), version };
  });
}

function versionNames(definition: JsonObject): { name: string; storage: boolean }[] {
  const versions = own(objectOf(definition, 'spec'), 'versions');
  return (Array.isArray(versions) ? versions : [])
    .filter(isObject)
    .map((each) => ({ name: textOf(own(each, 'name')), storage: own(each, 'storage') === true }));
}

function objectOf(parent: JsonObject, key: string): JsonObject {
  const value = own(parent, key);
  return isObject(value) ? value : {};
}

function textList(value: unknown): string[] {
  return Array.isArray(value)
    ? value.filter((each): each is string => typeof each === 'string')
    : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
