import type { JsonObject } from '../../text/documents/index.js';
import { flagAt, objectsAt, textAt } from '../../text/documents/fields.js';

export function versionEntries(crd: JsonObject): readonly JsonObject[] {
  return objectsAt(crd, 'spec', 'versions');
}

export function versionsOf(crd: JsonObject): Map<string, JsonObject> {
  const entries = new Map<string, JsonObject>();
  for (const entry of versionEntries(crd)) {
    const name = textAt(entry, 'name');
    if (name !== undefined) entries.set(name, entry);
  }
  return entries;
}

export function servedVersions(crd: JsonObject): Map<string, JsonObject> {
  return new Map([...versionsOf(crd)].filter(([, entry]) => flagAt(entry, 'served')));
}
