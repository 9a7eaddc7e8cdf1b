import { describeClash } from '../../../operator-groups/clash-text.js';
import { ownerConflictMessage } from '../../../operator-groups/intersection.js';
import { from, sources } from '../../../../rule/index.js';
import { membershipRule } from './membership-rule.js';
import { exampleOperator } from '../example-operator.js';

export const interOperatorGroupOwnerConflict = membershipRule({
  id: 'InterOperatorGroupOwnerConflict',
  aliases: ['OperatorGroupMembership'],
  severity: 'error',
  protects: 'other-namespaces',
  checks:
    'No other OperatorGroup provides an API of a ClusterServiceVersion for a namespace that both groups target; the own namespaces count.',
  withoutNames: 'an OperatorGroup that shares a target namespace provides one of its APIs',
  why: 'OLM fails the ClusterServiceVersion and removes its deployments.',
  otherwise: ownerConflictMessage,
  instead: 'Use the operator that is there, or choose groups that share no namespace.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'transitionCSVState'),
    from.olm(
      'pkg/controller/operators/olm/groups.go',
      'GroupIntersection',
      'ReconcileAPIIntersection',
    ),
  ),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { kind: OperatorGroup, metadata: { name: rival, namespace: zoo, annotations: { olm.providedAPIs: 'Cat.v1.example.com' } }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }`,
    after: exampleOperator(),
    says: 'Cat.v1.example.com is already provided by OperatorGroup rival of namespace zoo',
    accepted: exampleOperator({ name: 'dogs.v1', owns: 'dogs' }),
  },
  *problems({ intersection, group }) {
    if (intersection === null || intersection.clashes.length === 0) return;
    // On a static group this ends in the rule about static groups instead.
    if (intersection.result === 'RemoveAPIs' && group?.staticProvidedAPIs === true) return;
    for (const clash of intersection.clashes) {
      yield {
        message: `${ownerConflictMessage}: ${describeClash(clash)}`,
        path: '$.spec',
        cause: `${clash.group} ${clash.api}`,
        fix: `Use the operator of OperatorGroup ${clash.group.split('/').reverse().join('/')}, or choose groups that share no namespace.`,
      };
    }
  },
});
