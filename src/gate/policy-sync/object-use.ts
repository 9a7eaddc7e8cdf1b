/** Fields of a definition that the objects of a cluster use, by the version in which they are stored. */
import { readDefinition } from '../../kubernetes/index.js';
import { addUse, type Need } from '../admission-policy/use.js';
import { storedResource } from '../../upgrade/index.js';
import type { JsonObject } from '../../text/documents/index.js';
import { objectPages, readPage, ClusterError, type ClusterView } from '../../cluster/index.js';

/** Nothing where there are none. @throws ClusterError where whole objects cannot be read */
export async function useInCluster(
  crd: JsonObject,
  cluster: ClusterView,
  signal?: AbortSignal,
): Promise<Map<string, Map<string, Need>>> {
  const stored = storedResource(crd);
  if (stored === undefined) {
    throw new ClusterError('no version is served, so that nobody can list the objects');
  }
  // Its pins would go with the fields that the other version does not have.
  if (!stored.isStorage) {
    throw new ClusterError('its storage version is not served, so that nobody reads whole objects');
  }
  const { schema } = readDefinition(crd, stored.version);
  const needs = new Map<string, Need>();
  let count = 0;
  const pages = objectPages(cluster, stored, readPage, signal && { signal });
  for await (const { objects } of pages) {
    for (const object of objects) addUse(object, schema, needs);
    count += objects.length;
  }
  return count === 0 ? new Map() : new Map([[stored.version, needs]]);
}
