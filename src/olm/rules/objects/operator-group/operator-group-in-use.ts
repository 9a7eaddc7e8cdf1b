import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { activeMembers, reviewGroup } from './group-review.js';
import { exampleOperator } from '../example-operator.js';

export const operatorGroupInUse = defineOperatorGroupRule({
  id: 'OperatorGroupInUse',
  requests: ['DELETE'],
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'An OperatorGroup that is deleted has no active members.',
  withoutNames: 'active operators depend on it',
  why: 'Without its group every member fails with NoOperatorGroup, and its copies in target namespaces are removed. It recovers when a group comes back.',
  otherwise: 'csv in namespace with no operatorgroups',
  instead: 'Change the group instead, or remove the operators first.',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  messages: { inUse: 'OLM will fail {names} with NoOperatorGroup' },
  example: {
    before: exampleOperator({ isSucceeded: true }),
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
    says: 'OLM will fail cats.v1 with NoOperatorGroup',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: empty, namespace: empty }, spec: { targetNamespaces: [empty] } }',
  },
  *judge(context) {
    const { members, siblings } = context.fact(reviewGroup);
    const active = activeMembers(members);
    if (active.length === 0 || siblings.length > 0) return;
    yield {
      id: 'inUse',
      data: { names: active.map((csv) => csv.name) },
    };
  },
});
