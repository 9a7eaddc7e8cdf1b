import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { firstNames } from '../../../../text/shortened.js';
import { activeMembers, reviewGroup } from './group-review.js';

export const multipleOperatorGroups = defineOperatorGroupRule({
  id: 'MultipleOperatorGroups',
  aliases: ['MultipleOperatorGroupsFound'],
  requests: ['CREATE'],
  severity: 'warning',
  protects: 'own-namespace',
  blocksUpgrade: true,
  checks: 'A namespace does not get a second OperatorGroup.',
  withoutNames: 'its namespace has an OperatorGroup already',
  why: 'With two groups every ClusterServiceVersion of the namespace fails with TooManyOperatorGroups, and no InstallPlan goes on. It is an error where an active member fails by it. Elsewhere it is a warning, because GitOps may be about to delete the other group; the enforcing overlay denies that too.',
  otherwise: "csv created in namespace with multiple operatorgroups, can't pick one automatically",
  instead:
    'Delete the OperatorGroup that is there first, or change it instead of creating another.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'syncOperatorGroups'),
    from.olm('pkg/lib/scoped/querier.go', 'queryServiceAccountFromNamespace'),
  ),
  messages: {
    taken:
      'namespace {namespace} has an OperatorGroup already: {names}; members fail with TooManyOperatorGroups while there are several',
    fails:
      'namespace {namespace} has an OperatorGroup already: {names}; OLM will fail {members} with TooManyOperatorGroups',
  },
  example: {
    before:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }',
    after:
      '{ kind: OperatorGroup, metadata: { name: second, namespace: pets }, spec: { targetNamespaces: [pets] } }',
    says: 'namespace pets has an OperatorGroup already: pets',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
  },
  *judge(context) {
    const { group, siblings, members } = context.fact(reviewGroup);
    if (siblings.length === 0) return;
    const { namespace } = group;
    const names = siblings.map((other) => other.name);
    const failing = activeMembers(members).map(({ name }) => name);
    yield {
      ...(failing.length > 0
        ? {
            severity: 'error',
            id: 'fails',
            data: { namespace, names, members: firstNames(failing) },
          }
        : { id: 'taken', data: { namespace, names } }),
      fix: `Delete OperatorGroup ${names[0] ?? ''}, or change it instead of creating another.`,
    };
  },
});
