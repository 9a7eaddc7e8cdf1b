import type { Api } from '../resolver/predicate.js';
import { ApiSet, apiText } from './api-set.js';
import { type GroupState, groupSurface, type GroupSurface, intersectingGroups } from './surface.js';
import { compareBytes } from '../../text/go/index.js';
import { firstNames } from '../../text/shortened.js';

interface CsvClaim {
  readonly statusReason: string;
  readonly providedAPIs: readonly Api[];
}

type IntersectionResult = 'RemoveAPIs' | 'AddAPIs' | 'APIConflict' | 'NoAPIConflict';

/** Go on, write `olm.providedAPIs` and look again, fail, or leave the status as it is. */
type IntersectionAction =
  | { readonly kind: 'continue' }
  | { readonly kind: 'setAnnotation'; readonly annotation: string }
  | { readonly kind: 'fail'; readonly reason: string; readonly message: string }
  | { readonly kind: 'none' };

export interface ApiClash {
  readonly api: string;
  readonly group: string;
  /** The namespaces of both groups, sorted; `[""]` when both reach all. */
  readonly namespaces: readonly string[];
}

export interface IntersectionDecision {
  readonly result: IntersectionResult;
  readonly action: IntersectionAction;
  readonly group: GroupSurface;
  /** Sorted by identifier. */
  readonly intersecting: readonly GroupSurface[];
  readonly clashes: readonly ApiClash[];
  readonly missing: readonly string[];
}

const ownerConflictReason = 'InterOperatorGroupOwnerConflict';
const staticGroupReason = 'CannotModifyStaticOperatorGroupProvidedAPIs';
export const ownerConflictMessage = 'intersecting operatorgroups provide the same apis';
export const staticGroupMessage =
  'static provided api operatorgroup cannot be modified by these apis';

/**
 * Applies OLM's intersection rules to one sync of a ClusterServiceVersion that is a member of
 * `csvGroup`. Members of one group never clash by these rules. RemoveAPIs takes all APIs of the
 * ClusterServiceVersion out of the annotation, not only the shared ones; the sync after it then ends
 * in APIConflict. Source: OLM ReconcileAPIIntersection and transitionCSVState.
 */
export function decideIntersection(
  csvGroup: GroupState,
  otherGroups: readonly GroupState[],
  csv: CsvClaim,
): IntersectionDecision {
  const group = groupSurface(csvGroup);
  const intersecting = intersectingGroups(group, otherGroups.map(groupSurface)).sort((a, b) =>
    compareBytes(a.identifier, b.identifier),
  );
  const provided = new ApiSet(csv.providedAPIs);
  const clashes = findClashes(group, intersecting, provided);
  const result = classify(provided.isSubsetOf(group.providedAPIs), clashes.length > 0);
  return {
    result,
    action: chooseAction(result, csvGroup, group, provided, csv.statusReason),
    group,
    intersecting,
    clashes,
    missing: provided.difference(group.providedAPIs).texts(),
  };
}

export function findClashes(
  group: GroupSurface,
  intersecting: readonly GroupSurface[],
  provided: ApiSet,
): ApiClash[] {
  const clashes: ApiClash[] = [];
  for (const other of intersecting) {
    const namespaces = group.targets.intersection(other.targets).names();
    for (const api of provided.intersection(other.providedAPIs)) {
      clashes.push({ api: apiText(api), group: other.identifier, namespaces });
    }
  }
  return clashes.sort((a, b) => compareBytes(a.api, b.api) || compareBytes(a.group, b.group));
}

function classify(isSubset: boolean, intersects: boolean): IntersectionResult {
  if (intersects) return isSubset ? 'RemoveAPIs' : 'APIConflict';
  return isSubset ? 'NoAPIConflict' : 'AddAPIs';
}

function chooseAction(
  result: IntersectionResult,
  csvGroup: GroupState,
  group: GroupSurface,
  provided: ApiSet,
  statusReason: string,
): IntersectionAction {
  if (result === 'NoAPIConflict') return { kind: 'continue' };
  const fails = result === 'APIConflict' || csvGroup.staticProvidedAPIs;
  if (fails) {
    // OLM never rewrites the status of a ClusterServiceVersion that already has this reason.
    if (statusReason === ownerConflictReason) return { kind: 'none' };
    return result === 'APIConflict'
      ? { kind: 'fail', reason: ownerConflictReason, message: ownerConflictMessage }
      : { kind: 'fail', reason: staticGroupReason, message: staticGroupMessage };
  }
  if (result === 'RemoveAPIs') {
    const annotation = group.providedAPIs.difference(provided).annotation();
    return { kind: 'setAnnotation', annotation };
  }
  const annotation = group.providedAPIs.union(provided).annotation();
  // An API that cannot be read back from the annotation would be added for ever.
  if (annotation === (csvGroup.providedAPIs ?? '')) return { kind: 'continue' };
  return { kind: 'setAnnotation', annotation };
}

export function describeClash({ api, group, namespaces }: ApiClash): string {
  const [name, namespace] = group.split('/');
  return `${api} is already provided by OperatorGroup ${name ?? ''} of namespace ${namespace ?? ''} for ${namespacesText(namespaces)}`;
}

/** Names at most five namespaces: a global group can share thousands. */
function namespacesText(namespaces: readonly string[]): string {
  if (namespaces.length === 1 && namespaces[0] === '') return 'all namespaces';
  return `${namespaces.length === 1 ? 'namespace' : 'namespaces'} ${firstNames(namespaces)}`;
}
