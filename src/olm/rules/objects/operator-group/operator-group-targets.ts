import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';

export const operatorGroupTargets = defineOperatorGroupRule({
  id: 'OperatorGroupTargets',
  severity: 'error',
  protects: 'own-namespace',
  checks:
    'The targets of an OperatorGroup can be worked out: no empty name in targetNamespaces, and a valid selector.',
  why: 'OLM cannot work out the targets of such a group: it logs the error, writes no status, and the group never becomes usable. An invalid selector is an error even beside targetNamespaces.',
  otherwise:
    'TargetNamespaces cannot contain NamespaceAll: […], or the error of an invalid selector',
  instead:
    'For a group of all namespaces leave out both targetNamespaces and selector; correct an invalid selector, or remove it.',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getOperatorGroupTargets'),
  example: {
    after:
      "{ kind: OperatorGroup, metadata: { name: all, namespace: pets }, spec: { targetNamespaces: [pets, ''] } }",
    says: 'TargetNamespaces cannot contain NamespaceAll',
    accepted: '{ kind: OperatorGroup, metadata: { name: all, namespace: pets }, spec: {} }',
  },
  *judge(context) {
    const { targetError } = context.fact(reviewGroup);
    if (targetError === null) return;
    const isSelector = !targetError.startsWith('TargetNamespaces');
    yield {
      message: targetError,
      path: isSelector ? '$.spec.selector' : '$.spec.targetNamespaces',
      fix: isSelector
        ? 'Correct the selector, or remove it.'
        : 'Take the empty name out of targetNamespaces; for all namespaces, leave out targetNamespaces and selector.',
    };
  },
});
