import { type JsonObject, type JsonValue, metaOf } from '../../text/documents/index.js';
import type { ClusterServiceVersion } from '../operator-groups/objects.js';
import { flagAt, objectsAt, textAt } from '../../text/documents/fields.js';

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
