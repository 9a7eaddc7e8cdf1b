import { type Csv, readCsv } from '../../../olm/cluster-service-version.js';
import { oncePer } from '../../../olm/once.js';
import { judgeMembership, type Membership } from '../../../olm/operator-groups/membership.js';
import { isCopied, readableApis, withStatus } from '../../../olm/operator-groups/objects.js';
import { groupSurface } from '../../../olm/operator-groups/surface.js';
import { rivalGroups } from '../operator-group/group-review.js';
import type { RuleContext } from '../rule.js';

/** The ClusterServiceVersion under review; null for OLM's own copies, which no rule is about. */
export const reviewedCsv = oncePer(({ object }: RuleContext): Csv | null => {
  const csv = readCsv(object);
  return isCopied(csv) ? null : csv;
});

/**
 * What OLM will make of it in its namespace, judged by its spec alone: what its status says now would
 * only hide what is wrong. A group that OLM has not settled yet counts as its spec selects. Null for
 * copies.
 */
export const membershipOf = oncePer((context: RuleContext): Membership | null => {
  const csv = reviewedCsv(context);
  if (csv === null) return null;
  const { view } = context;
  const groups = view.groupsIn(csv.namespace).map((group) => withStatus(group, view.namespaces()));
  const [group] = groups;
  const otherGroups =
    groups.length === 1 && group !== undefined
      ? rivalGroups(view, groupSurface(group), readableApis(csv))
      : [];
  const fresh = { ...csv, phase: '', reason: '' };
  return judgeMembership({
    csv: fresh,
    groupsInNamespace: groups,
    otherGroups,
    namespaces: view.namespaces(),
  });
});

/** The other ClusterServiceVersions of its namespace. */
export function neighbours(csv: Csv, { view }: RuleContext): Csv[] {
  return view.csvsIn(csv.namespace).filter((other) => other.name !== csv.name);
}
