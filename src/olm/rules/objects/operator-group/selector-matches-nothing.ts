import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';

export const selectorMatchesNothing = defineOperatorGroupRule({
  id: 'SelectorMatchesNothing',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The selector of an OperatorGroup matches a namespace.',
  withoutNames: 'its selector matches no namespace',
  why: 'Without a match the group has no targets: its members fail with NoTargetNamespaces until a namespace gets the label.',
  otherwise: 'no targetNamespaces are matched operatorgroups namespace selection',
  instead: 'Label the namespaces first, or name them in targetNamespaces.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'updateNamespaceList'),
  ),
  messages: {
    matchesNothing:
      'spec.selector matches no namespace: members will fail with NoTargetNamespaces (no targetNamespaces are matched operatorgroups namespace selection)',
  },
  example: {
    before: '{ kind: Namespace, metadata: { name: prod, labels: { env: prod } } }',
    after:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { selector: { matchLabels: { env: production } } } }',
    says: 'spec.selector matches no namespace',
    accepted:
      '{ kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { selector: { matchLabels: { env: prod } } } }',
  },
  *judge(context) {
    const { group, targetError } = context.fact(reviewGroup);
    if (targetError !== null || group.statusNamespaces.length > 0) return;
    yield {
      id: 'matchesNothing',
      path: '$.spec.selector',
    };
  },
});
