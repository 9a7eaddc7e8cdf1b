/** The record of `migrate run` for the gate: which versions nothing is stored in, of which state of a definition. */
import { ClusterError } from '../view/view.js';
import {
  InvalidInputError,
  isObject,
  own,
  parseJson,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { objectAt, textAt } from '../../text/documents/fields.js';
import type { MigratedKind } from './migrated-kind.js';
import type { Requests } from './requests.js';

/** A ConfigMap in the namespace of the gate, with a key for each definition. */
export const recordName = 'olm-guard-migrated';

/** Left before status.storedVersions is trimmed, so that the gate finds it. @returns why it could not be left */
export async function recordMigration(
  requests: Requests,
  { name, uid, generation, storage, stored, leaving }: MigratedKind,
  namespace: string,
): Promise<string | undefined> {
  const versions = [...new Set([...stored, ...leaving])].filter((version) => version !== storage);
  if (versions.length === 0) return undefined;
  const collection = `/api/v1/namespaces/${encodeURIComponent(namespace)}/configmaps`;
  const path = `${collection}/${recordName}`;
  try {
    const known = await requests.find(path);
    const body = stringifyJson({
      ...(known ?? {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: recordName, namespace },
      }),
      data: { ...objectAt(known, 'data'), [name]: JSON.stringify({ uid, generation, versions }) },
    });
    await requests.json(
      known === undefined
        ? { path: collection, method: 'POST', body }
        : { path, method: 'PUT', body },
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof ClusterError) || error.status === undefined) throw error;
    return error.status === 404 ? undefined : error.message;
  }
}

/** The versions that the ConfigMap says nothing is stored in; undefined for another state of the definition. */
export function readMigrationRecord(
  map: JsonObject,
  { name, uid, generation }: Pick<MigratedKind, 'name' | 'uid' | 'generation'>,
): readonly unknown[] | undefined {
  const text = textAt(map, 'data', name);
  if (text === undefined || uid === '') return undefined;
  try {
    const record = parseJson(text);
    if (!isObject(record)) return undefined;
    if (own(record, 'uid') !== uid || own(record, 'generation') !== generation) return undefined;
    const versions = own(record, 'versions');
    return Array.isArray(versions) ? versions : undefined;
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}
