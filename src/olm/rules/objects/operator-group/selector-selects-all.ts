import { objectAt } from '../../../../text/documents/fields.js';
import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';
import { selectorSize } from './selector-size.js';

export const selectorSelectsAll = defineOperatorGroupRule({
  id: 'SelectorSelectsAll',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The selector of an OperatorGroup is not empty.',
  why: 'A selector without matchLabels and matchExpressions selects every namespace. Labels written directly beneath selector, as OpenShift’s documentation shows them, are dropped by the API server, which leaves such an empty selector.',
  otherwise: 'OLM reports no error: the group becomes global',
  instead:
    'Write labels beneath selector.matchLabels, or remove the selector when the group is to be global.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getOperatorGroupTargets'),
    from.openShift('Operator groups'),
  ),
  messages: {
    empty:
      'spec.selector selects all namespaces: it is empty; labels directly beneath selector are dropped by the API server',
    stray:
      'spec.selector selects all namespaces: "{stray}" stands directly beneath selector, not beneath matchLabels',
  },
  example: {
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { selector: { env: prod } } }',
    says: 'spec.selector selects all namespaces: "env" stands directly beneath selector',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { selector: { matchLabels: { env: prod } } } }',
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const selector = objectAt(context.object, 'spec', 'selector');
    if (selector === undefined || group.targetNamespaces.length > 0 || selectorSize(group) > 0)
      return;
    const stray = Object.keys(selector).filter(
      (key) => key !== 'matchLabels' && key !== 'matchExpressions',
    );
    yield {
      ...(stray.length === 0 ? { id: 'empty' } : { id: 'stray', data: { stray } }),
      path: '$.spec.selector',
      fix: 'Write labels beneath spec.selector.matchLabels, or remove the selector if the group is to be global.',
    };
  },
});
