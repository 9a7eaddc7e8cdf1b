import { from } from '../../source.js';
import { failureRule } from './membership-rule.js';

export const tooManyOperatorGroups = failureRule({
  id: 'TooManyOperatorGroups',
  severity: 'error',
  checks: 'The namespace of a ClusterServiceVersion has one OperatorGroup only.',
  why: 'OLM does not choose between several: the ClusterServiceVersion fails until all but one are deleted.',
  otherwise: "csv created in namespace with multiple operatorgroups, can't pick one automatically",
  instead: 'Delete all OperatorGroups of the namespace but one first.',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { kind: OperatorGroup, metadata: { name: second, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }`,
    after: `
      kind: ClusterServiceVersion
      metadata: { name: cats.v1, namespace: pets }
      spec:
        installModes:
          - { type: OwnNamespace, supported: true }
          - { type: SingleNamespace, supported: true }
          - { type: MultiNamespace, supported: true }
          - { type: AllNamespaces, supported: true }
        customresourcedefinitions: { owned: [{ name: cats.example.com, version: v1, kind: Cat }] }`,
    says: 'TooManyOperatorGroups: csv created in namespace with multiple operatorgroups',
    accepted: `
      kind: ClusterServiceVersion
      metadata: { name: cats.v1, namespace: zoo }
      spec:
        installModes:
          - { type: OwnNamespace, supported: true }
          - { type: SingleNamespace, supported: true }
          - { type: MultiNamespace, supported: true }
          - { type: AllNamespaces, supported: true }
        customresourcedefinitions: { owned: [{ name: cats.example.com, version: v1, kind: Cat }] }`,
  },
});
