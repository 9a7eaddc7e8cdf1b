/** Those who rely on a definition, among objects of files and of a cluster. */
import { consumerName, consumerOf, neededDefinition } from '../../olm/index.js';
import { ClusterError, formatResource, type ClusterView } from '../facts/cluster/view.js';
import type { Consumer, FoundCrd, Losses } from '../../upgrade/index.js';
import { append } from '../../text/long-lists.js';
import { InvalidInputError, type JsonObject, type Place } from '../../text/documents/index.js';

/** An object that may rely on one of the definitions. */
export interface PossibleConsumer {
  readonly object: JsonObject;
  /** Of what comes from a file. */
  readonly place?: Place;
}

export interface FoundConsumers {
  readonly consumers: readonly Consumer[];
  /** What could not be read, a sentence each. */
  readonly unchecked: readonly string[];
}

/** Without the files of the definition itself, before and after. */
export function consumersOf(
  possible: readonly PossibleConsumer[],
  sides: readonly FoundCrd[],
): FoundConsumers {
  const consumers: Consumer[] = [];
  const unchecked: string[] = [];
  const files = new Set(sides.map(({ document }) => document.file));
  const [definition] = sides.map(({ crd }) => neededDefinition(crd));
  if (definition === undefined) return { consumers, unchecked };
  for (const { object, place } of possible) {
    if (place?.file !== undefined && files.has(place.file)) continue;
    const called = consumerName(object);
    const name =
      place === undefined ? called : `${called} (${place.file ?? ''}:${place.line ?? 1})`;
    try {
      const consumer = consumerOf(object, definition);
      if (consumer !== undefined) consumers.push({ ...consumer, name });
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      unchecked.push(`what ${name} needs cannot be read: ${error.describe()}`);
    }
  }
  return { consumers, unchecked };
}

const rbac = 'rbac.authorization.k8s.io';
const csvs = { group: 'operators.coreos.com', resource: 'clusterserviceversions' };
const requirements = { group: 'apiextensions.openshift.io', resource: 'compatibilityrequirements' };
const autoscalers = { group: 'autoscaling', resource: 'horizontalpodautoscalers' };
const roles = [
  { group: rbac, resource: 'clusterroles' },
  { group: rbac, resource: 'roles' },
];

interface KnownConsumers {
  readonly objects: readonly JsonObject[];
  /** Those of the objects that are ClusterServiceVersions. */
  readonly csvs: readonly JsonObject[];
  /** What could not be listed, a sentence each. */
  readonly unchecked: readonly string[];
}

export const noneKnown: KnownConsumers = { objects: [], csvs: [], unchecked: [] };

/**
 * Objects of a cluster of the kinds that say what they need.
 *
 * @param losses only kinds to which this matters; without it all
 */
export async function listConsumers(view: ClusterView, losses?: Losses): Promise<KnownConsumers> {
  const isAsked = (lost: (losses: Losses) => boolean): boolean =>
    losses === undefined || lost(losses);
  const resources = [
    ...(isAsked(({ versions }) => versions.length > 0) ? [csvs] : []),
    ...(losses === undefined ? [requirements] : []),
    ...(isAsked(({ scaling }) => scaling) ? [autoscalers] : []),
    ...(isAsked(({ subresources }) => subresources.length > 0) ? roles : []),
  ];
  const objects: JsonObject[] = [];
  const unchecked: string[] = [];
  let ofCsvs: readonly JsonObject[] = [];
  for (const resource of resources) {
    try {
      const listed = await view.list(resource, { labelSelector: '!olm.copiedFrom' });
      if (resource === csvs) ofCsvs = listed;
      append(objects, listed);
    } catch (error) {
      if (!(error instanceof ClusterError)) throw error;
      unchecked.push(
        `${formatResource(resource)} could not be asked for consumers: ${error.message}`,
      );
    }
  }
  return { objects, csvs: ofCsvs, unchecked };
}
