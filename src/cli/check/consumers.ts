import { invalidInput } from '../../text/documents/index.js';
import { listConsumers, type PossibleConsumer, placeOfObject } from '../../checks/index.js';
import type { ClusterView } from '../../cluster/index.js';
import { manifestObjects } from '../../repository/index.js';
import type { NetworkOptions } from '../options/network-option.js';
import { withWarnings } from '../options/skipped-files.js';
import { append } from '../../text/long-lists.js';

interface ConsumerOptions extends NetworkOptions {
  readonly consumers: readonly string[];
}

/** Of files, folders and commits, or `cluster`. @throws InvalidInputError */
export async function readPossibleConsumers(
  { consumers: sources, network: usesNetwork }: ConsumerOptions,
  view: ClusterView | undefined,
  onUnchecked: (sentence: string) => void,
): Promise<PossibleConsumer[]> {
  const found: PossibleConsumer[] = [];
  for (const source of sources) {
    if (source === 'cluster') {
      append(found, await inCluster(view, onUnchecked));
      continue;
    }
    const read = withWarnings((options) =>
      manifestObjects(source, { ...options, onUnchecked, usesNetwork }),
    );
    for await (const { documents, objects } of read) {
      for (const manifest of objects) {
        // The examples of a ClusterServiceVersion, which are documents of their own, are no objects of a user.
        if (!documents.includes(manifest.document)) continue;
        found.push({ object: manifest.object, place: await placeOfObject(manifest) });
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
    throw invalidInput(
      '--consumers cluster needs a cluster; give OLD as cluster:NAME, --kubeconfig or --state',
    );
  }
  const { objects, unchecked } = await listConsumers(view);
  for (const sentence of unchecked) onUnchecked(sentence);
  return objects.map((object) => ({ object }));
}
