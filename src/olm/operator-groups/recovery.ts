import type { ClusterServiceVersion } from './objects.js';
import type { Membership } from './membership.js';

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
