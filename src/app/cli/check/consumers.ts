/** `--consumers`: objects of files, commits or a cluster that may rely on the definitions. */
import { InvalidInputError } from '../../../text/documents/index.js';
import type { PossibleConsumer } from '../../diagnosis/consumers.js';
import { ClusterError, formatResource, type ClusterView } from '../../facts/cluster/view.js';
import { manifestObjects } from '../../facts/manifests/manifest-objects.js';
import { withWarnings } from '../options/skipped-files.js';
import { append } from '../../../text/long-lists.js';

const rbac = 'rbac.authorization.k8s.io';

/** Kinds that say what they need. */
const resources = [
  { group: 'operators.coreos.com', resource: 'clusterserviceversions' },
  { group: 'apiextensions.openshift.io', resource: 'compatibilityrequirements' },
  { group: 'autoscaling', resource: 'horizontalpodautoscalers' },
  { group: rbac, resource: 'clusterroles' },
  { group: rbac, resource: 'roles' },
];

/**
 * @param sources files, folders, commits, or `cluster`
 * @param onUnchecked called with a sentence about what could not be read
 * @throws InvalidInputError for a source of which nothing can be read, and for `cluster` without a cluster
 */
export async function readPossibleConsumers(
  sources: readonly string[],
  view: ClusterView | undefined,
  onUnchecked: (sentence: string) => void,
): Promise<PossibleConsumer[]> {
  const found: PossibleConsumer[] = [];
  for (const source of sources) {
    if (source === 'cluster') {
      append(found, await inCluster(view, onUnchecked));
      continue;
    }
    const read = withWarnings((options) => manifestObjects(source, { ...options, onUnchecked }));
    for await (const { documents, objects } of read) {
      for (const { object, document, path } of objects) {
        // The examples of a ClusterServiceVersion, which are documents of their own, are nobody's objects.
        if (documents.includes(document)) found.push({ object, place: document.placeOf(path) });
      }
    }
  }
  return found;
}

async function inCluster(
  view: ClusterView | undefined,
  onUnchecked: (sentence: string) => void,
): Promise<PossibleConsumer[]> {
  if (view === undefined) {
    throw new InvalidInputError(
      'E_INPUT',
      '--consumers cluster needs a cluster; give OLD as cluster:NAME, --kubeconfig or --state',
    );
  }
  const found: PossibleConsumer[] = [];
  for (const resource of resources) {
    try {
      const objects = await view.list(resource, { labelSelector: '!olm.copiedFrom' });
      append(
        found,
        objects.map((object) => ({ object })),
      );
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      onUnchecked(`${formatResource(resource)} could not be asked for consumers: ${error.message}`);
    }
  }
  return found;
}
