/** The CustomResourceDefinition on the cluster: read, and its stored versions taken out. */
import { ClusterError } from '../view/view.js';
import {
  invalidInput,
  metaOf,
  readList,
  stringifyJson,
  type JsonObject,
} from '../../text/documents/index.js';
import { objectAt } from '../../text/documents/fields.js';
import { nearest } from '../../text/nearest.js';
import { metadataOnly } from './object-pages.js';
import { migratedKind, type MigratedKind } from './migrated-kind.js';
import type { Requests } from './requests.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** @throws InvalidInputError where there is none of that name, and as {@link migratedKind} does; ClusterError */
export async function readKind(
  requests: Requests,
  name: string,
  leaving: readonly string[] = [],
): Promise<MigratedKind> {
  return migratedKind(await readDefinition(requests, name), leaving);
}

async function readDefinition(requests: Requests, name: string): Promise<JsonObject> {
  const found = await requests.find(`${definitions}/${encodeURIComponent(name)}`);
  if (found !== undefined) return found;
  const meant = await meantDefinition(requests, name);
  const message = `the cluster has no CustomResourceDefinition ${name}${meant}; it is named PLURAL.GROUP, as kubectl get crd lists it`;
  throw invalidInput(message);
}

/** By the whole name, or by the plural alone, which most kinds are close to; nothing where definitions cannot be listed. */
async function meantDefinition(requests: Requests, name: string): Promise<string> {
  try {
    const { objects } = readList(
      await requests.json({ path: definitions, accept: metadataOnly }, 1),
    );
    const all = objects.map((object) => metaOf(object).name);
    const isWhole = name.includes('.');
    const named = new Map(all.map((each) => [isWhole ? each : each.replace(/\..*/, ''), each]));
    const meant = named.get(nearest(name, named.keys()) ?? '');
    return meant === undefined ? '' : ` (did you mean "${meant}"?)`;
  } catch (error) {
    if (!(error instanceof ClusterError)) throw error;
    return '';
  }
}

const maxConflicts = 10;

/** @returns why not, where the definition is another one than objects were written under. @throws ClusterError */
export async function keepStorageVersion(
  requests: Requests,
  kind: MigratedKind,
): Promise<string | undefined> {
  for (let conflicts = 0; ;) {
    const document = await readDefinition(requests, kind.name);
    const { uid, generation } = metaOf(document);
    if (uid !== kind.uid) return `${kind.name} was deleted and made anew meanwhile`;
    // Another storage version may have come and gone, and objects been written in it.
    if (generation !== kind.generation) return `${kind.name} was changed meanwhile`;
    const body = stringifyJson({
      ...document,
      status: { ...objectAt(document, 'status'), storedVersions: [kind.storage] },
    });
    try {
      const path = `${definitions}/${encodeURIComponent(kind.name)}/status`;
      await requests.json({ path, method: 'PUT', body });
      return undefined;
    } catch (error) {
      const isConflict = error instanceof ClusterError && error.status === 409;
      if (!isConflict || ++conflicts >= maxConflicts) throw error;
    }
  }
}
