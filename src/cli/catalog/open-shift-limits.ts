/** Bundles that keep an OpenShift cluster from its next minor version once they are installed, a sentence each. */
import { ClusterError, type ClusterView } from '../../cluster/index.js';
import { limitIn, limitSentence, openShiftVersion } from '../../olm/index.js';
import type { KnownCatalog } from '../options/known-catalogs.js';

/** @returns none where the cluster is not OpenShift, or does not say its version */
export async function openShiftLimits(
  bundles: readonly string[],
  catalogs: readonly KnownCatalog[],
  view: Pick<ClusterView, 'get'>,
): Promise<string[]> {
  const resource = { group: 'config.openshift.io', resource: 'clusterversions' };
  const object = await view.get(resource, 'version').catch(ignoreClusterError);
  const version = openShiftVersion(object);
  if (version === undefined) return [];
  return bundles.flatMap((name) => {
    const because = limitIn(catalogs, name, version);
    return because === undefined ? [] : [limitSentence(name, because, version)];
  });
}

/** For optional reads: without the cluster the answer only says less. @throws any other error */
export function ignoreClusterError(error: unknown): undefined {
  if (!(error instanceof ClusterError)) throw error;
  return undefined;
}
