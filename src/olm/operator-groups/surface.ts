import { ApiSet } from './api-set.js';
import { allNamespaces, NamespaceSet } from './namespace-set.js';

export interface GroupState {
  readonly name: string;
  readonly namespace: string;
  readonly statusNamespaces: readonly string[];
  /** The raw annotation `olm.providedAPIs`; null when absent. */
  readonly providedAPIs: string | null;
  readonly staticProvidedAPIs: boolean;
}

/** A group's reach: the namespaces it counts for and the APIs it claims there. */
export interface GroupSurface {
  /** `name/namespace`, the identity that OLM compares. */
  readonly identifier: string;
  readonly targets: NamespaceSet;
  readonly providedAPIs: ApiSet;
}

/** A group without status reaches nothing, not even its own namespace. Source: OLM NewOperatorGroup. */
export function groupSurface(group: GroupState): GroupSurface {
  return {
    identifier: `${group.name}/${group.namespace}`,
    targets: surfaceTargets(group.namespace, group.statusNamespaces),
    providedAPIs: ApiSet.parse(group.providedAPIs ?? ''),
  };
}

export function surfaceTargets(
  groupNamespace: string,
  statusNamespaces: readonly string[],
): NamespaceSet {
  const [first] = statusNamespaces;
  const addsOwn = first !== undefined && first !== allNamespaces;
  return new NamespaceSet(addsOwn ? [...statusNamespaces, groupNamespace] : statusNamespaces);
}

export function intersectingGroups(
  group: GroupSurface,
  others: readonly GroupSurface[],
): GroupSurface[] {
  return others.filter(
    (other) =>
      other.identifier !== group.identifier && !group.targets.intersection(other.targets).isEmpty,
  );
}
