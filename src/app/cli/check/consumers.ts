/** `--consumers`: objects of files, commits or a cluster that may rely on the definitions. */
import {
  isObject,
  InvalidInputError,
  objectsOf,
  parseDocuments,
} from '../../../text/documents/index.js';
import type { SourceFile } from '../../../text/documents/regular-file.js';
import type { PossibleConsumer } from '../../diagnosis/consumers.js';
import { ClusterError, formatResource, type ClusterView } from '../../facts/cluster/view.js';
import { readManifestsWithWarnings } from '../options/skipped-files.js';
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
 * @throws InvalidInputError for a source that is not there, and for `cluster` without a cluster
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
    const { files, unchecked = [] } = await readManifestsWithWarnings(source);
    unchecked.forEach(onUnchecked);
    for (const file of files) append(found, inFile(file, onUnchecked));
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

function inFile(
  { file, bytes }: SourceFile,
  onUnchecked: (sentence: string) => void,
): PossibleConsumer[] {
  try {
    return parseDocuments(bytes, { file }).flatMap((document) =>
      [...objectsOf(document.value)].flatMap(({ value, path }) =>
        isObject(value) ? [{ object: value, place: document.placeOf(path) }] : [],
      ),
    );
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    onUnchecked(`${error.at({ file }).describe()}; its consumers are not known`);
    return [];
  }
}
