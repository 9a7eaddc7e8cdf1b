import { ApiSet } from './api-set.js';
import { readableApis, type ClusterServiceVersion, type OperatorGroup } from './objects.js';

/** Changes of `olm.providedAPIs` when its group syncs. */
export interface Pruning {
  /** The annotation afterwards; null when absent. */
  readonly annotation: string | null;
  /** Surplus APIs taken out, sorted. */
  readonly removed: readonly string[];
  /** Why nothing was compared; null when it was. */
  readonly skipped: string | null;
}

/**
 * Takes out of `olm.providedAPIs` what no member provides. Static groups are left alone, and nothing
 * happens while a member with an API that is not listed yet has not got past phase Pending: its API
 * is about to be added. Source: OLM pruneProvidedAPIs.
 *
 * @param members the ClusterServiceVersions of the group's namespace without copies
 */
export function pruneProvidedApis(
  group: OperatorGroup,
  members: readonly ClusterServiceVersion[],
): Pruning {
  const kept = { annotation: group.providedAPIs, removed: [] };
  if (group.staticProvidedAPIs) {
    return { ...kept, skipped: 'the group is static: only its owner changes olm.providedAPIs' };
  }
  const listed = ApiSet.parse(group.providedAPIs ?? '');
  for (const csv of members) {
    const isArriving = !csv.isBeingDeleted && (csv.phase === '' || csv.phase === 'Pending');
    if (isArriving && !readableApis(csv).isSubsetOf(listed)) {
      const phase = csv.phase === '' ? 'no phase yet' : 'phase Pending';
      return { ...kept, skipped: `${csv.name} (${phase}) provides an API that is not listed yet` };
    }
  }
  const provided = members.reduce((all, csv) => all.union(readableApis(csv)), new ApiSet());
  const surplus = listed.difference(provided);
  if (surplus.size === 0) return { ...kept, skipped: null };
  return {
    annotation: listed.intersection(provided).annotation(),
    removed: surplus.texts(),
    skipped: null,
  };
}
