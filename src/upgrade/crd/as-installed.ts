/** A definition as a cluster has it that was given this file. */
import { isObject, own, type JsonObject } from '../../text/documents/index.js';
import { flagAt, textAt, valueAt } from '../../text/documents/fields.js';
import { versionEntries } from './named-versions.js';
import { withStoredVersions } from './custom-resource-definition.js';

/**
 * Files of a release carry no `status.storedVersions`; the API server writes it when a definition is
 * made, with the storage version as its first entry, and refuses every definition without that
 * version until it is taken out by hand. A definition that names its stored versions stays as it is.
 *
 * Source: apiextensions-apiserver, `customresourcedefinition/strategy.go`, `PrepareForCreate`.
 */
export function asInstalled(definition: JsonObject): JsonObject {
  const status = own(definition, 'status');
  const known = valueAt(status, 'storedVersions');
  if (status !== undefined && !isObject(status)) return definition;
  if (known !== undefined && !(Array.isArray(known) && known.length === 0)) return definition;
  const name = textAt(
    versionEntries(definition).find((each) => flagAt(each, 'storage')),
    'name',
  );
  if (name === undefined) return definition;
  return withStoredVersions(definition, [name]);
}
