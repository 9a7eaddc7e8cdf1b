import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';

export const operatorGroupNameTaken = defineOperatorGroupRule({
  id: 'OperatorGroupNameTaken',
  requests: ['CREATE'],
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'No OperatorGroup of another namespace has the name of the new one.',
  withoutNames: 'an OperatorGroup of another namespace has its name',
  why: 'OLM up to v0.25 (OpenShift 4.12) names the ClusterRoles of a group <name>-admin, <name>-edit and <name>-view, so two groups of one name share them and overwrite each other. Later versions put a hash of the namespace into the name.',
  otherwise:
    'OLM reports no error: up to v0.25, groups of one name overwrite each other’s ClusterRoles',
  instead: 'Give this OperatorGroup a name that no other namespace uses for one.',
  source: from.openShift('Operator groups'),
  messages: {
    taken:
      'an OperatorGroup of that name is in namespace {names}: up to OLM v0.25 they share their ClusterRoles',
  },
  example: {
    before:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }',
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
    says: 'an OperatorGroup of that name is in namespace zoo',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets-group, namespace: pets }, spec: { targetNamespaces: [pets] } }',
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const namespaces = context.view
      .groupsCovering([''])
      .filter(({ name, namespace }) => name === group.name && namespace !== group.namespace)
      .map(({ namespace }) => namespace);
    if (namespaces.length === 0) return;
    yield {
      id: 'taken',
      data: { names: namespaces.sort() },
      path: '$.metadata.name',
    };
  },
});
