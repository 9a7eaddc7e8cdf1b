import { from } from '../../../../rule/index.js';
import { failureRule } from './membership-rule.js';
import { exampleOperator } from '../example-operator.js';

export const noOperatorGroup = failureRule({
  id: 'NoOperatorGroup',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The namespace of a ClusterServiceVersion has an OperatorGroup.',
  withoutNames: 'its namespace has no OperatorGroup',
  why: 'A ClusterServiceVersion is installed only in a namespace with exactly one OperatorGroup. It fails until the group is there, and then goes on by itself.',
  otherwise: 'csv in namespace with no operatorgroups',
  instead: 'Create the OperatorGroup first, or install where there is one.',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  example: {
    before:
      '{ kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }',
    after: exampleOperator(),
    says: 'NoOperatorGroup: csv in namespace with no operatorgroups',
    accepted: exampleOperator({ namespace: 'zoo' }),
  },
});
