import { from } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';
import { selectorSize } from './selector-size.js';

export const selectorIgnored = defineOperatorGroupRule({
  id: 'SelectorIgnored',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'An OperatorGroup has either targetNamespaces or a selector.',
  why: 'With both, OLM takes targetNamespaces and never looks at what the selector matches.',
  otherwise: 'OLM reports no error: targetNamespaces win over the selector',
  instead: 'Remove spec.selector, or spec.targetNamespaces if the selector is meant.',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getOperatorGroupTargets'),
  messages: { ignored: 'spec.selector is ignored beside spec.targetNamespaces' },
  example: {
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets], selector: { matchLabels: { env: prod } } } }',
    says: 'spec.selector is ignored beside spec.targetNamespaces',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] } }',
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const size = selectorSize(group);
    if (group.targetNamespaces.length === 0 || size === 0) return;
    yield {
      id: 'ignored',
      path: '$.spec.selector',
    };
  },
});
