import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';
import { selectorSize } from './selector-size.js';

export const severalTargetNamespaces = defineOperatorGroupRule({
  id: 'SeveralTargetNamespaces',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'An OperatorGroup targets one namespace, or all, and not some of them.',
  why: 'Several target namespaces, and a label selector, are not recommended: support for more than one target namespace will likely be removed.',
  otherwise: 'OLM reports no error: support for several target namespaces will likely be removed',
  instead: 'Make a group for each namespace, or a global one.',
  source: from.openShift('Operator groups'),
  messages: {
    listed:
      'several target namespaces are not recommended: OLM will likely support one target namespace, or all',
    selected:
      'a label selector is not recommended: OLM will likely support one target namespace, or all',
  },
  example: {
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets, zoo] } }',
    says: 'several target namespaces are not recommended',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const { targetNamespaces } = group;
    const isSelected = targetNamespaces.length === 0 && selectorSize(group) > 0;
    if (targetNamespaces.length < 2 && !isSelected) return;
    yield isSelected
      ? { id: 'selected', path: '$.spec.selector' }
      : { id: 'listed', path: '$.spec.targetNamespaces' };
  },
});
