/** Consumers of a definition, among objects of files and of a cluster. */
import { consumerName, consumerOf, copiedFromLabel, neededDefinition } from '../../olm/index.js';
import { ClusterError, formatResource, type ClusterView } from '../../cluster/index.js';
import {
  type Consumer,
  consumerFieldRemoved,
  type CustomResourceDefinition,
  judgeConsumers,
  type Losses,
  lossesOf,
  readCustomResourceDefinition,
} from '../../upgrade/index.js';
import type { Finding } from '../../rule/index.js';
import { append } from '../../text/long-lists.js';
import { InvalidInputError, type JsonObject, type Place } from '../../text/documents/index.js';

export interface PossibleConsumer {
  readonly object: JsonObject;
  /** Where it is, if it comes from a file. */
  readonly place?: Place;
}

export interface FoundConsumers {
  readonly consumers: readonly Consumer[];
  /** Sources that could not be read, a sentence each. */
  readonly unchecked: readonly string[];
}

/** @param files those of the definition itself, before and after: nothing in them counts */
export function consumersOf(
  possible: readonly PossibleConsumer[],
  crd: CustomResourceDefinition,
  files: ReadonlySet<string | undefined> = new Set(),
): FoundConsumers {
  const consumers: Consumer[] = [];
  const unchecked: string[] = [];
  const definition = neededDefinition(crd);
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

export interface KnownConsumers {
  readonly objects: readonly JsonObject[];
  readonly csvs: readonly JsonObject[];
  /** Kinds that could not be listed, a sentence each. */
  readonly unchecked: readonly string[];
}

export interface JudgedConsumers extends Pick<KnownConsumers, 'csvs' | 'unchecked'> {
  readonly found: readonly Finding[];
}

export const noneKnown: JudgedConsumers = { found: [], csvs: [], unchecked: [] };

/** @param losses only kinds to which this matters; without it all */
export async function listConsumers(
  view: Pick<ClusterView, 'list'>,
  losses?: Losses,
): Promise<KnownConsumers> {
  const isAsked = (lost: (losses: Losses) => boolean): boolean =>
    losses === undefined || lost(losses);
  const resources = [
    ...(isAsked(({ versions }) => versions.length > 0) ? [csvs] : []),
    requirements,
    ...(isAsked(({ scaling }) => scaling) ? [autoscalers] : []),
    ...(isAsked(({ subresources }) => subresources.length > 0) ? roles : []),
  ];
  const objects: JsonObject[] = [];
  const unchecked: string[] = [];
  let ofCsvs: readonly JsonObject[] = [];
  for (const resource of resources) {
    try {
      // A label exempts nothing but copies that OLM made.
      const only = resource === csvs ? { labelSelector: `!${copiedFromLabel}` } : {};
      const listed = await view.list(resource, only);
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

/** Consumers that lose something by an update, as at the gate: by versions and subresources, not fields. */
export async function judgeKnownConsumers(
  old: CustomResourceDefinition,
  next: CustomResourceDefinition,
  view: Pick<ClusterView, 'list'>,
): Promise<JudgedConsumers> {
  const known = await listConsumers(view, lossesOf(old.document, next.document));
  const possible = known.objects.map((object) => ({ object }));
  const { consumers, unchecked } = consumersOf(possible, old);
  const found = judgeConsumers(old, next, consumers).filter(
    ({ rule }) => rule !== consumerFieldRemoved.id,
  );
  return { found, csvs: known.csvs, unchecked: [...known.unchecked, ...unchecked] };
}

/** Undefined where one cannot be read: their comparison reports that. */
export function readSides({
  old,
  next,
}: {
  readonly old: JsonObject;
  readonly next: JsonObject;
}):
  { readonly old: CustomResourceDefinition; readonly next: CustomResourceDefinition } | undefined {
  try {
    return { old: readCustomResourceDefinition(old), next: readCustomResourceDefinition(next) };
  } catch (error) {
    if (error instanceof InvalidInputError) return undefined;
    throw error;
  }
}

/** A finding about a definition that a plan brings, as one about the plan. */
export function ofPlan(name: string, finding: Finding): Finding {
  return {
    ...finding,
    message: `CustomResourceDefinition ${name}: ${finding.message}`,
    cause: [name, finding.cause].filter((part) => part !== undefined).join(' '),
  };
}
