import { type Csv, readOperatorGroup } from '../../../objects/classic-objects.js';
import { ApiSet } from '../../../operator-groups/api-set.js';
import { type OperatorGroup, readableApis, withStatus } from '../../../operator-groups/objects.js';
import { groupFailureReasons } from '../../../operator-groups/membership.js';
import {
  type GroupSurface,
  groupSurface,
  selectTargets,
} from '../../../operator-groups/surface.js';
import type { OlmView } from '../../../objects/view.js';
import type { RuleContext } from '../rule.js';

export interface GroupReview {
  readonly group: OperatorGroup;
  /** OLM's error about its targets; the status is then kept as it is. */
  readonly targetError: string | null;
  readonly surface: GroupSurface;
  readonly members: readonly Csv[];
  readonly siblings: readonly OperatorGroup[];
}

/** Others' objects are looked up only for rules that ask for them: what a group says by itself is judged without. */
export function reviewGroup({ object, view }: RuleContext): GroupReview {
  const read = readOperatorGroup(object);
  const targets = selectTargets(read, view.namespaces());
  const group = targets.error === null ? { ...read, statusNamespaces: targets.namespaces } : read;
  return {
    group,
    targetError: targets.error,
    surface: groupSurface(group),
    get members() {
      return view.csvsIn(group.namespace);
    },
    get siblings() {
      return view.groupsIn(group.namespace).filter((other) => other.name !== group.name);
    },
  };
}

/** A member that its group, as it is, does not fail. */
export function isActive(csv: Csv): boolean {
  return !csv.isBeingDeleted && !(csv.phase === 'Failed' && groupFailureReasons.has(csv.reason));
}

export function activeMembers(members: readonly Csv[]): Csv[] {
  return members.filter(isActive);
}

export function apisOf(members: readonly Csv[]): ApiSet {
  return new ApiSet(members.flatMap((csv) => [...readableApis(csv)]));
}

/** Groups without a status count: OLM gives each one in the end, and they conflict then. */
export function rivalGroups(view: OlmView, surface: GroupSurface, apis: ApiSet): OperatorGroup[] {
  const candidates = surface.targets.isAll
    ? new Set([...apis].flatMap((api) => view.groupsProviding(api)))
    : view.groupsCovering(surface.targets.names());
  const groups = [...candidates].map((group) => withStatus(group, view.namespaces()));
  return groups.filter((group) => {
    const other = groupSurface(group);
    return (
      other.identifier !== surface.identifier &&
      apis.intersection(other.providedAPIs).size > 0 &&
      !surface.targets.intersection(other.targets).isEmpty
    );
  });
}
