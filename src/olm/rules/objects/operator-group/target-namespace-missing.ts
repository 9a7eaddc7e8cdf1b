import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';

export const targetNamespaceMissing = defineOperatorGroupRule({
  id: 'TargetNamespaceMissing',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The namespaces that an OperatorGroup targets exist.',
  withoutNames: 'a namespace that it targets does not exist',
  why: 'OLM accepts names of namespaces that do not exist, and cannot copy permissions into them. Often the name is misspelt, or the namespace comes later.',
  otherwise: 'bug: no target CSV for namespace …',
  instead: 'Correct the name, or create the namespace first.',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'ensureCSVsInNamespaces'),
  messages: { missing: 'target namespaces do not exist: {missing}' },
  example: {
    before: '{ kind: Namespace, metadata: { name: pets } }',
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pet] } }',
    says: 'target namespaces do not exist: pet',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const missing = group.targetNamespaces.filter(
      (name) => name !== '' && context.view.lookUp('Namespace', name) === undefined,
    );
    if (missing.length === 0) return;
    yield {
      id: 'missing',
      data: { missing },
      path: '$.spec.targetNamespaces',
    };
  },
});
