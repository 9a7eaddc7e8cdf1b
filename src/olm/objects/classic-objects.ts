/** ClusterServiceVersions, OperatorGroups, Subscriptions and CatalogSources, as rules read them. */
import { type JsonObject, type JsonValue, metaOf } from '../../text/documents/index.js';
import type { ClusterServiceVersion, OperatorGroup } from '../operator-groups/objects.js';
import {
  flagAt,
  numberAt,
  objectAt,
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
} from '../../text/documents/fields.js';
import { excludeGlobal } from '../resolver/namespace.js';
import type { ObjectReference } from '../../rule/index.js';
import type { LabelSelector } from '../operator-groups/label-selector.js';

export interface Csv extends ClusterServiceVersion {
  /** `spec.replaces`; `""` when absent. */
  readonly replaces: string;
  /** `spec.version` as written; `""` when absent. */
  readonly version: string;
  readonly object: JsonObject;
}

export function readCsv(object: JsonObject): Csv {
  const meta = metaOf(object);
  return {
    name: meta.name,
    namespace: meta.namespace,
    annotations: meta.annotations,
    labels: meta.labels,
    isBeingDeleted: meta.deletionTimestamp !== undefined,
    installModes: objectsAt(object, 'spec', 'installModes').map((mode) => ({
      type: textAt(mode, 'type') ?? '',
      supported: flagAt(mode, 'supported'),
    })),
    ownedCrds: crdDescriptions(object, 'owned'),
    ownedApiServices: apiServiceDescriptions(object, 'owned'),
    phase: textAt(object, 'status', 'phase') ?? '',
    reason: textAt(object, 'status', 'reason') ?? '',
    replaces: textAt(object, 'spec', 'replaces') ?? '',
    version: textAt(object, 'spec', 'version') ?? '',
    object,
  };
}

/** Whether OLM is about to delete it, so that it need not stay. */
export function isLeaving({ phase }: Pick<Csv, 'phase'>): boolean {
  return phase === 'Replacing' || phase === 'Deleting';
}

/** `spec.customresourcedefinitions.owned` or `.required`. */
export function crdDescriptions(
  csv: JsonValue,
  which: 'owned' | 'required',
): { name: string; version: string; kind: string }[] {
  return objectsAt(csv, 'spec', 'customresourcedefinitions', which).map((crd) => ({
    name: textAt(crd, 'name') ?? '',
    version: textAt(crd, 'version') ?? '',
    kind: textAt(crd, 'kind') ?? '',
  }));
}

/** `spec.apiservicedefinitions.owned` or `.required`. */
export function apiServiceDescriptions(
  csv: JsonValue,
  which: 'owned' | 'required',
): { name: string; group: string; version: string; kind: string; deploymentName: string }[] {
  return objectsAt(csv, 'spec', 'apiservicedefinitions', which).map((service) => ({
    name: textAt(service, 'name') ?? '',
    group: textAt(service, 'group') ?? '',
    version: textAt(service, 'version') ?? '',
    kind: textAt(service, 'kind') ?? '',
    deploymentName: textAt(service, 'deploymentName') ?? '',
  }));
}

export function readOperatorGroup(object: JsonObject): OperatorGroup {
  const meta = metaOf(object);
  return {
    name: meta.name,
    namespace: meta.namespace,
    targetNamespaces: textsAt(object, 'spec', 'targetNamespaces'),
    selector: readLabelSelector(object, 'spec', 'selector'),
    staticProvidedAPIs: flagAt(object, 'spec', 'staticProvidedAPIs'),
    serviceAccountName: textAt(object, 'spec', 'serviceAccountName') ?? '',
    statusNamespaces: textsAt(object, 'status', 'namespaces'),
    serviceAccountSynced: objectAt(object, 'status', 'serviceAccountRef') !== undefined,
    conditionTypes: objectsAt(object, 'status', 'conditions').flatMap(
      (condition) => textAt(condition, 'type') ?? [],
    ),
    providedAPIs: meta.annotation('olm.providedAPIs') ?? null,
    excludesGlobalCatalogs: meta.annotation(excludeGlobal) === 'true',
  };
}

/** A Subscription (`operators.coreos.com/v1alpha1`); texts are `""` when absent. */
export interface Subscription {
  readonly name: string;
  readonly namespace: string;
  readonly package: string;
  readonly channel: string;
  readonly catalog: string;
  readonly catalogNamespace: string;
  readonly isManual: boolean;
}

export function readSubscription(object: JsonObject): Subscription {
  const meta = metaOf(object);
  return {
    name: meta.name,
    namespace: meta.namespace,
    package: textAt(object, 'spec', 'name') ?? '',
    channel: textAt(object, 'spec', 'channel') ?? '',
    catalog: textAt(object, 'spec', 'source') ?? '',
    catalogNamespace: textAt(object, 'spec', 'sourceNamespace') ?? '',
    isManual: textAt(object, 'spec', 'installPlanApproval') === 'Manual',
  };
}

export function subscriptionReference(
  { namespace }: { readonly namespace: string },
  name: string,
): ObjectReference {
  return { apiVersion: 'operators.coreos.com/v1alpha1', kind: 'Subscription', namespace, name };
}

/** A CatalogSource (`operators.coreos.com/v1alpha1`); texts are `""` when absent. */
export interface CatalogSource {
  readonly name: string;
  readonly namespace: string;
  readonly sourceType: string;
  readonly image: string;
  readonly address: string;
  readonly configMap: string;
  readonly priority: number;
  /** `olm.catalogImageTemplate`; `""` when absent. */
  readonly imageTemplate: string;
  /** The last gRPC connection state, `""` before the first. */
  readonly connectionState: string;
  /** `status.message` of a source that OLM refuses. */
  readonly statusMessage: string;
}

export function readCatalogSource(object: JsonObject): CatalogSource {
  const meta = metaOf(object);
  return {
    name: meta.name,
    namespace: meta.namespace,
    sourceType: textAt(object, 'spec', 'sourceType') ?? '',
    image: textAt(object, 'spec', 'image') ?? '',
    address: textAt(object, 'spec', 'address') ?? '',
    configMap: textAt(object, 'spec', 'configMap') ?? '',
    priority: numberAt(object, 'spec', 'priority') ?? 0,
    imageTemplate: meta.annotation('olm.catalogImageTemplate') ?? '',
    connectionState: textAt(object, 'status', 'connectionState', 'lastObservedState') ?? '',
    statusMessage: textAt(object, 'status', 'message') ?? '',
  };
}

export function connectionText({ connectionState, statusMessage }: CatalogSource): string {
  const state = connectionState === '' ? 'was never reached' : `is ${connectionState}`;
  return statusMessage === '' ? state : `${state}: ${statusMessage}`;
}

export function isHealthy(catalog: CatalogSource): boolean {
  return catalog.connectionState === 'READY';
}

export function readLabelSelector(
  object: JsonValue | undefined,
  ...path: string[]
): LabelSelector | null {
  const selector = objectAt(object, ...path);
  if (selector === undefined) return null;
  return {
    matchLabels: textMapAt(selector, 'matchLabels'),
    matchExpressions: objectsAt(selector, 'matchExpressions').map((expression) => ({
      key: textAt(expression, 'key') ?? '',
      operator: textAt(expression, 'operator') ?? '',
      values: textsAt(expression, 'values'),
    })),
  };
}
