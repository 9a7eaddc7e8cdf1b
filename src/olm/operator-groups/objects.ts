import type { Api } from '../resolver/api.js';
import type { CrdReference } from '../resolver/namespace.js';
import { ApiSet } from './api-set.js';
import type { InstallMode } from './install-modes.js';
import type { GroupState } from './surface.js';
import { selectTargets, type Namespace, type TargetSelection } from './targets.js';

export interface OperatorGroup extends GroupState, TargetSelection {
  /** `spec.serviceAccountName`; `""` when absent. */
  readonly serviceAccountName: string;
  readonly serviceAccountSynced: boolean;
  readonly conditionTypes: readonly string[];
  /** Its namespace resolves from no global catalog. */
  readonly excludesGlobalCatalogs?: boolean;
}

/** An owned APIService; `name` is the plural resource name. */
export interface OwnedApiService extends Api {
  readonly name: string;
}

export interface ClusterServiceVersion {
  readonly name: string;
  readonly namespace: string;
  readonly annotations: ReadonlyMap<string, string>;
  readonly labels: ReadonlyMap<string, string>;
  readonly isBeingDeleted: boolean;
  readonly installModes: readonly InstallMode[];
  readonly ownedCrds: readonly CrdReference[];
  readonly ownedApiServices: readonly OwnedApiService[];
  /** `status.phase`, `""` before OLM saw it. */
  readonly phase: string;
  readonly reason: string;
}

export const groupNamespaceAnnotation = 'olm.operatorNamespace';
export const groupNameAnnotation = 'olm.operatorGroup';
export const targetsAnnotation = 'olm.targetNamespaces';
export const copiedFromLabel = 'olm.copiedFrom';
const copiedReason = 'Copied';

/** OLM's own mirror of a ClusterServiceVersion of another namespace. Source: api IsCopied. */
export function isCopied(csv: ClusterServiceVersion): boolean {
  return csv.reason === copiedReason || isMarkedAsCopy(csv);
}

/** The status alone proves nothing: the gate is not asked about writes of it, but about the metadata's. */
export function isMarkedAsCopy(csv: ClusterServiceVersion): boolean {
  const operatorNamespace = csv.annotations.get(groupNamespaceAnnotation);
  return (
    (operatorNamespace !== undefined && operatorNamespace !== csv.namespace) ||
    csv.labels.has(copiedFromLabel)
  );
}

export function withoutCopiedReason<Csv extends ClusterServiceVersion>(csv: Csv): Csv {
  return csv.reason === copiedReason ? { ...csv, reason: '' } : csv;
}

/** Provided APIs, or OLM's error for a name without a dot, which it only logs. Source: OLM apiSurfaceOfCSV. */
export function providedApis(
  csv: Pick<ClusterServiceVersion, 'ownedCrds' | 'ownedApiServices'>,
): { readonly error: string } | { readonly error: null; readonly apis: ApiSet } {
  const apis: Api[] = [];
  for (const { name, version, kind } of csv.ownedCrds) {
    const dot = name.indexOf('.');
    if (dot < 0) return { error: `error parsing crd name: ${name}` };
    apis.push({ group: name.slice(dot + 1), version, kind });
  }
  return { error: null, apis: new ApiSet([...apis, ...csv.ownedApiServices]) };
}

/** The APIs as far as they can be read; none when {@link providedApis} gives an error. */
export function readableApis(csv: ClusterServiceVersion): ApiSet {
  const provided = providedApis(csv);
  return provided.error === null ? provided.apis : new ApiSet();
}

/** The group as it is, or where OLM has written no status yet, as its first sync leaves it. */
export function withStatus<Group extends OperatorGroup>(
  group: Group,
  namespaces: Iterable<Namespace>,
): Group {
  return group.statusNamespaces.length > 0 ? group : settled(group, namespaces);
}

/** The group as its next sync leaves it: `status.namespaces` as its spec selects them now. */
export function settled<Group extends OperatorGroup>(
  group: Group,
  namespaces: Iterable<Namespace>,
): Group {
  const targets = selectTargets(group, namespaces);
  return targets.error === null ? { ...group, statusNamespaces: targets.namespaces } : group;
}
