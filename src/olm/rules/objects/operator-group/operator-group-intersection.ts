import type { Csv } from '../../../objects/cluster-service-version.js';
import { ApiSet, apiText } from '../../../operator-groups/api-set.js';
import { describeClash } from '../../../operator-groups/clash-text.js';
import {
  type ApiClash,
  findClashes,
  ownerConflictMessage,
} from '../../../operator-groups/intersection.js';
import { type OperatorGroup, readableApis } from '../../../operator-groups/objects.js';
import { groupSurface } from '../../../operator-groups/surface.js';
import { from } from '../../../../rule/index.js';
import { firstNames } from '../../../../text/shortened.js';
import { defineOperatorGroupRule, type Problem } from '../rule.js';
import { activeMembers, apisOf, reviewGroup, rivalGroups } from './group-review.js';
import { exampleOperator } from '../example-operator.js';

export const operatorGroupIntersection = defineOperatorGroupRule({
  id: 'OperatorGroupIntersection',
  severity: 'error',
  protects: 'other-namespaces',
  checks:
    'Two OperatorGroups whose targets share a namespace do not provide the same API; their own namespaces count as targets.',
  withoutNames: 'an OperatorGroup that shares a target namespace provides the same API',
  why: 'OLM accepts the group and later fails ClusterServiceVersions with InterOperatorGroupOwnerConflict, naming neither the other group nor the API, and removes their deployments. It is an error when an active member or a static group loses by it; when nothing but an annotation claims the API it is a warning.',
  otherwise: ownerConflictMessage,
  instead: 'Narrow the targets of one group, or move both operators into one.',
  source: from.olm(
    'pkg/controller/operators/olm/groups.go',
    'GroupIntersection',
    'ReconcileAPIIntersection',
  ),
  example: {
    before: `
${exampleOperator({ isSucceeded: true })}
      ---
      { kind: OperatorGroup, metadata: { name: rival, namespace: zoo, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }`,
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
    says: 'Cat.v1.example.com is already provided by OperatorGroup rival of namespace zoo',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: farm, namespace: farm }, spec: { targetNamespaces: [farm] } }',
  },
  *judge(context) {
    const { group, surface, members } = context.fact(reviewGroup);
    const active = activeMembers(members);
    const provided = apisOf(active);
    const claimed = provided.union(surface.providedAPIs);
    for (const rival of rivalGroups(context.view, surface, claimed)) {
      // Of two groups in one namespace OLM compares neither: members fail with TooManyOperatorGroups.
      if (rival.namespace === group.namespace) continue;
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
  const losers = [...new Set([...ours, ...rivals])];
  const isKept = losers.length > 0 || (group.staticProvidedAPIs && rival.staticProvidedAPIs);
  const consequence =
    losers.length === 0
      ? ''
      : `; OLM will fail ${firstNames(losers)} with InterOperatorGroupOwnerConflict`;
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
