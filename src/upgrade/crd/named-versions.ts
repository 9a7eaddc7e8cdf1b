/** The versions of a definition as its document has them, whatever else is wrong with it. */
import { isObject, own, type JsonObject } from '../../text/documents/index.js';

/** Entries of `spec.versions` by their names. */
export function versionsOf(crd: JsonObject): Map<string, JsonObject> {
  const spec = own(crd, 'spec');
  const versions = isObject(spec) ? own(spec, 'versions') : undefined;
  const entries = new Map<string, JsonObject>();
  for (const entry of Array.isArray(versions) ? versions.filter(isObject) : []) {
    const name = own(entry, 'name');
    if (typeof name === 'string') entries.set(name, entry);
  }
  return entries;
}

export function servedVersions(crd: JsonObject): Map<string, JsonObject> {
  return new Map([...versionsOf(crd)].filter(([, entry]) => own(entry, 'served') === true));
}
