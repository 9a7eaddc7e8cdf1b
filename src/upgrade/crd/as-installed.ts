/** A definition as a cluster has it that was given this file. */
import { isObject, own, type JsonObject } from '../../text/documents/index.js';
import { withStoredVersions } from './custom-resource-definition.js';

/**
 * Files of a release carry no `status.storedVersions`; the API server writes it when a definition is
 * made, with the storage version as its first entry, and refuses every definition without that
 * version until it is taken out by hand. A definition that names its stored versions stays as it is.
 *
 * Source: apiextensions-apiserver, `customresourcedefinition/strategy.go`, `PrepareForCreate`.
 */
export function asInstalled(definition: JsonObject): JsonObject {
  const [spec, status] = [own(definition, 'spec'), own(definition, 'status')];
  const known = isObject(status) ? own(status, 'storedVersions') : undefined;
  if (status !== undefined && !isObject(status)) return definition;
  if (known !== undefined && !(Array.isArray(known) && known.length === 0)) return definition;
  const versions = isObject(spec) ? own(spec, 'versions') : undefined;
  const storage = (Array.isArray(versions) ? versions : []).find(
    (version) => isObject(version) && own(version, 'storage') === true,
  );
  const name = isObject(storage) ? own(storage, 'name') : undefined;
  if (typeof name !== 'string') return definition;
  return withStoredVersions(definition, [name]);
}
