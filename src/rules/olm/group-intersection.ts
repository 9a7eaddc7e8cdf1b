import { ApiSet, apiText } from '../../olm/operator-groups/api-set.js';
import { describeClash } from '../../olm/operator-groups/clash-text.js';
import {
  findClashes,
  ownerConflictMessage,
  type ApiClash,
} from '../../olm/operator-groups/intersection.js';
import { readableApis, type OperatorGroup } from '../../olm/operator-groups/objects.js';
import { groupSurface } from '../../olm/operator-groups/surface.js';
import type { Csv } from '../../olm/cluster-service-version.js';
import { defineRule, type Problem } from './rule.js';
import { activeMembers, apisOf, namesText, reviewGroup, rivalGroups } from './group-review.js';
import { from } from '../source.js';

export const operatorGroupIntersection = defineRule({
  name: 'OperatorGroupIntersection',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'operator-groups',
  prevents: ownerConflictMessage,
  source: from.olm(
    'pkg/controller/operators/olm/groups.go',
    'GroupIntersection',
    'ReconcileAPIIntersection',
  ),
  explain:
    'Two groups whose targets share a namespace (the own namespaces count) must not provide the same API. OLM accepts the group and later fails ClusterServiceVersions ' +
    'with InterOperatorGroupOwnerConflict, naming neither the other group nor the API, and removes their deployments. Narrow the targets of one group, or move both operators into one. ' +
    'It is denied when an active member or a static group loses by it; an annotation that nobody lives by only warns.',
  *check(context) {
    const { group, surface, members } = reviewGroup(context);
    const active = activeMembers(members);
    const provided = apisOf(active);
    const claimed = provided.union(surface.providedAPIs);
    for (const rival of rivalGroups(context.view, surface, claimed)) {
      const theirs = activeMembers(context.view.csvsIn(rival.namespace));
      for (const clash of findClashes(surface, [groupSurface(rival)], claimed)) {
        yield describe(clash, { group, rival, active, theirs });
      }
    }
  },
});

interface Parties {
  readonly group: OperatorGroup;
  readonly rival: OperatorGroup;
  readonly active: readonly Csv[];
  readonly theirs: readonly Csv[];
}

function describe(clash: ApiClash, { group, rival, active, theirs }: Parties): Problem {
  const ours = providersOf(clash.api, active);
  const rivals = providersOf(clash.api, theirs);
  const losers = [...ours, ...rivals];
  const isKept = losers.length > 0 || (group.staticProvidedAPIs && rival.staticProvidedAPIs);
  const consequence =
    losers.length === 0 ? '' : `; InterOperatorGroupOwnerConflict awaits ${namesText(losers)}`;
  return {
    severity: isKept ? 'error' : 'warning',
    message: `${ownerConflictMessage}: ${describeClash(clash)}${rival.staticProvidedAPIs ? ' (static)' : ''}${consequence}`,
    path: '$.spec',
    cause: `${clash.group} ${clash.api}`,
    fix: `Choose targets that share no namespace with OperatorGroup ${rival.namespace}/${rival.name}.`,
  };
}

function providersOf(api: string, csvs: readonly Csv[]): string[] {
  return csvs
    .filter((csv) => [...new ApiSet(readableApis(csv))].some((own) => apiText(own) === api))
    .map((csv) => `${csv.namespace}/${csv.name}`);
}
