import { from } from '../../../../rule/index.js';
import { failureRule } from './membership-rule.js';
import { exampleOperator } from '../example-operator.js';

export const noTargetNamespaces = failureRule({
  id: 'NoTargetNamespaces',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The OperatorGroup of a ClusterServiceVersion targets a namespace.',
  withoutNames: 'the OperatorGroup of its namespace targets no namespace',
  why: 'The selector of the group matches no namespace. The ClusterServiceVersion fails until one gets the label.',
  otherwise: 'no targetNamespaces are matched operatorgroups namespace selection',
  instead: 'Label a namespace first, or correct the selector of the OperatorGroup.',
  source: from.olm(
    'pkg/controller/operators/olm/operator.go',
    'operatorGroupForCSV',
    'transitionCSVState',
  ),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { selector: { matchLabels: { env: production } } }, status: { namespaces: [] } }
      ---
      { kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }`,
    after: exampleOperator(),
    says: 'NoTargetNamespaces: no targetNamespaces are matched',
    accepted: exampleOperator({ namespace: 'zoo' }),
  },
});
