import {
  checkInstallModes,
  type ClusterServiceVersion,
  groupNameAnnotation,
  groupNamespaceAnnotation,
  isCopied,
  type OperatorGroup,
  providedApis,
  targetsAnnotation,
} from './objects.js';
import { decideIntersection, type IntersectionDecision } from './intersection.js';
import { type Namespace, selectTargets, targetNamespacesAnnotation } from './surface.js';

type MembershipState =
  /** A member whose status the group does not stand in the way of. */
  | 'active'
  /** OLM fails it, with `reason` and `message`. */
  | 'failed'
  /** A member, while OLM first rewrites `olm.providedAPIs` or the annotations. */
  | 'waiting'
  /** OLM leaves it alone: a copy, or one it cannot read. */
  | 'ignored';

export interface Membership {
  readonly member: boolean;
  readonly state: MembershipState;
  readonly group: OperatorGroup | null;
  readonly reason: string | null;
  readonly message: string;
  /** The annotations that OLM keeps on a member. */
  readonly annotations: ReadonlyMap<string, string>;
  readonly intersection: IntersectionDecision | null;
}

interface MembershipQuestion {
  readonly csv: ClusterServiceVersion;
  readonly groupsInNamespace: readonly OperatorGroup[];
  /** Groups of other namespaces; those that share no namespace may be left out. */
  readonly otherGroups: readonly OperatorGroup[];
  /** For a group whose selector matched nothing; others are taken by their status. */
  readonly namespaces: Iterable<Namespace>;
}

/** In OLM's order. Source: OLM operatorGroupForCSV and transitionCSVState. */
export function judgeMembership(question: MembershipQuestion): Membership {
  const { csv, groupsInNamespace } = question;
  if (isCopied(csv))
    return outside(
      'ignored',
      'It is a copy that OLM made of a ClusterServiceVersion of another namespace.',
    );
  const provided = providedApis(csv);
  if (provided.error !== null) return outside('ignored', provided.error);
  const [group, ...more] = groupsInNamespace;
  if (group === undefined) {
    return refused('NoOperatorGroup', 'csv in namespace with no operatorgroups');
  }
  if (more.length > 0) {
    return refused(
      'TooManyOperatorGroups',
      "csv created in namespace with multiple operatorgroups, can't pick one automatically",
    );
  }
  const annotations = memberAnnotations(csv, group);
  const targets = targetsOf(question, group, annotations);
  if ('state' in targets) return { ...targets, group, annotations };
  const refusal = checkInstallModes(csv.installModes, csv.namespace, targets.names);
  if (refusal !== null) {
    return { ...refused(refusal.reason, refusal.message), group, annotations };
  }
  const intersection = decideIntersection(group, question.otherGroups, {
    statusReason: csv.reason,
    providedAPIs: [...provided.apis],
  });
  return { group, annotations, ...afterIntersection(intersection, csv) };
}

export function memberAnnotations(
  csv: ClusterServiceVersion,
  group: OperatorGroup,
): Map<string, string> {
  const annotations = new Map([
    [groupNamespaceAnnotation, group.namespace],
    [groupNameAnnotation, group.name],
  ]);
  const targets =
    group.statusNamespaces.length > 0
      ? targetNamespacesAnnotation(group.statusNamespaces)
      : csv.annotations.get(targetsAnnotation);
  if (targets !== undefined) annotations.set(targetsAnnotation, targets);
  return annotations;
}

export function annotationsAreCurrent(csv: ClusterServiceVersion, group: OperatorGroup): boolean {
  return (
    csv.annotations.get(groupNamespaceAnnotation) === group.namespace &&
    csv.annotations.get(groupNameAnnotation) === group.name &&
    csv.annotations.get(targetsAnnotation) === targetNamespacesAnnotation(group.statusNamespaces)
  );
}

function targetsOf(
  { csv, namespaces }: MembershipQuestion,
  group: OperatorGroup,
  annotations: ReadonlyMap<string, string>,
): { readonly names: readonly string[] } | Membership {
  if (group.statusNamespaces.length === 0 && !annotationsAreCurrent(csv, group)) {
    const selected = selectTargets(group, namespaces);
    if (selected.error === null && selected.namespaces.length === 0) {
      return refused(
        'NoTargetNamespaces',
        'no targetNamespaces are matched operatorgroups namespace selection',
      );
    }
    // An annotation that names none is as such a status wants it, and OLM goes on once the others are too.
    if (annotations.get(targetsAnnotation) !== '') {
      const why = selected.error ?? 'its status names no namespace yet';
      return outside('waiting', `OLM has not settled OperatorGroup ${group.name}: ${why}`);
    }
  }
  const targets = annotations.get(targetsAnnotation);
  if (targets === undefined) {
    return refused('NoTargetNamespaces', 'csv missing olm.targetNamespaces annotation');
  }
  return { names: targets.split(',') };
}

function afterIntersection(
  intersection: IntersectionDecision,
  csv: ClusterServiceVersion,
): Omit<Membership, 'group' | 'annotations'> {
  const { action } = intersection;
  const as = (state: MembershipState, message: string, reason: string | null = null) => ({
    member: true,
    state,
    reason,
    message,
    intersection,
  });
  switch (action.kind) {
    case 'continue':
      return as('active', 'It is an active member.');
    case 'setAnnotation':
      return as(
        'waiting',
        `OLM first sets olm.providedAPIs to "${action.annotation}" and looks again.`,
      );
    case 'fail':
      return as('failed', action.message, action.reason);
    case 'none':
      return as('failed', 'The status stays as it is until the conflict is gone.', csv.reason);
  }
}

function refused(reason: string, message: string): Membership {
  return { ...outside('failed', message), reason };
}

function outside(state: MembershipState, message: string): Membership {
  return {
    member: false,
    state,
    group: null,
    reason: null,
    message,
    annotations: new Map(),
    intersection: null,
  };
}

/** How OLM lifts a failure that its group had caused. */
export interface Recovery {
  readonly phase: 'Pending';
  readonly reason: 'RequirementsUnknown';
  readonly message: string;
}

const texts: ReadonlyMap<string, string> = new Map([
  ['NoTargetNamespaces', 'InstallModes now support target namespaces'],
  ['NoOperatorGroup', 'InstallModes now support target namespaces'],
  ['TooManyOperatorGroups', 'InstallModes now support target namespaces'],
  ['UnsupportedOperatorGroup', 'InstallModes now support target namespaces'],
  [
    'InterOperatorGroupOwnerConflict',
    'OperatorGroup no longer intersecting with conflicting owner',
  ],
  [
    'CannotModifyStaticOperatorGroupProvidedAPIs',
    'static OperatorGroup and intersecting groups now support providedAPIs',
  ],
]);

/** Failures of OperatorGroups are not terminal: these reasons end as soon as the group fits. */
export const groupFailureReasons: ReadonlySet<string> = new Set(texts.keys());

/** The status once the group fits and has its APIs; null if the group is not why it failed, or it stays so. */
export function recoveryOf(csv: ClusterServiceVersion, membership: Membership): Recovery | null {
  const message = texts.get(csv.reason);
  if (csv.phase !== 'Failed' || message === undefined || !isClear(membership)) return null;
  return { phase: 'Pending', reason: 'RequirementsUnknown', message };
}

function isClear({ state, intersection }: Membership): boolean {
  return state === 'active' || (state === 'waiting' && intersection?.result === 'AddAPIs');
}
