import { objectAt } from '../../olm/fields.js';
import { defineRule } from './rule.js';
import { namesText, reviewGroup } from './group-review.js';
import { from, sources } from '../source.js';

export const invalidTargets = defineRule({
  name: 'OperatorGroupTargets',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'operator-groups',
  prevents:
    'TargetNamespaces cannot contain NamespaceAll: […], or the error of an invalid selector',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getOperatorGroupTargets'),
  explain:
    'OLM cannot work out the targets of such a group: it logs the error, writes no status, and the group never becomes usable. ' +
    'A group for all namespaces leaves out both targetNamespaces and selector; an invalid selector is an error even beside targetNamespaces.',
  *check(context) {
    const { targetError } = reviewGroup(context);
    if (targetError === null) return;
    const isSelector = !targetError.startsWith('TargetNamespaces');
    yield {
      message: targetError,
      path: isSelector ? '$.spec.selector' : '$.spec.targetNamespaces',
      fix: isSelector
        ? 'Correct the selector, or remove it.'
        : 'Remove targetNamespaces and selector to select all namespaces.',
    };
  },
});

export const selectorIgnored = defineRule({
  name: 'SelectorIgnored',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: 'nothing is said: targetNamespaces win over the selector',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getOperatorGroupTargets'),
  explain:
    'With both targetNamespaces and selector, OLM takes targetNamespaces and never looks at what the selector matches. Remove the one that is not meant.',
  *check(context) {
    const { group } = reviewGroup(context);
    const size = selectorSize(group);
    if (group.targetNamespaces.length === 0 || size === 0) return;
    yield {
      message: 'spec.selector is ignored beside spec.targetNamespaces',
      path: '$.spec.selector',
    };
  },
});

export const emptySelector = defineRule({
  name: 'SelectorSelectsAll',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: 'nothing is said: the group becomes global',
  source: sources(
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'getOperatorGroupTargets'),
    from.openShift('Operator groups'),
  ),
  explain:
    'A selector without matchLabels and matchExpressions selects every namespace. Labels written directly beneath selector, as OpenShift’s documentation shows them, ' +
    'are dropped by the API server, which leaves such an empty selector. Write them beneath selector.matchLabels.',
  *check(context) {
    const { group } = reviewGroup(context);
    const selector = objectAt(context.object, 'spec', 'selector');
    if (selector === undefined || group.targetNamespaces.length > 0 || selectorSize(group) > 0)
      return;
    const stray = Object.keys(selector).filter(
      (key) => key !== 'matchLabels' && key !== 'matchExpressions',
    );
    const because =
      stray.length === 0
        ? 'it is empty; labels directly beneath selector are dropped by the API server'
        : `"${namesText(stray)}" stands directly beneath selector, not beneath matchLabels`;
    yield {
      message: `spec.selector selects all namespaces: ${because}`,
      path: '$.spec.selector',
      fix: 'Write labels beneath spec.selector.matchLabels, or remove the selector if the group is to be global.',
    };
  },
});

export const selectorMatchesNothing = defineRule({
  name: 'SelectorMatchesNothing',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: 'no targetNamespaces are matched operatorgroups namespace selection',
  source: sources(
    from.olm('pkg/controller/operators/olm/operator.go', 'operatorGroupForCSV'),
    from.olm('pkg/controller/operators/olm/operatorgroup.go', 'updateNamespaceList'),
  ),
  explain:
    'A selector that matches no namespace leaves the group without targets: its members fail with NoTargetNamespaces until a namespace gets the label.',
  *check(context) {
    const { group, targetError } = reviewGroup(context);
    if (targetError !== null || group.statusNamespaces.length > 0) return;
    yield {
      message:
        'spec.selector matches no namespace: members will fail with NoTargetNamespaces (no targetNamespaces are matched operatorgroups namespace selection)',
      path: '$.spec.selector',
    };
  },
});

export const targetNamespaceMissing = defineRule({
  name: 'TargetNamespaceMissing',
  kind: 'OperatorGroup',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents: 'bug: no target CSV for namespace …',
  source: from.olm('pkg/controller/operators/olm/operatorgroup.go', 'ensureCSVsInNamespaces'),
  explain:
    'OLM accepts names of namespaces that do not exist and then cannot copy permissions into them. Often the name is misspelt, or the namespace comes later.',
  *check(context) {
    const { group } = reviewGroup(context);
    const missing = group.targetNamespaces.filter(
      (name) => name !== '' && context.view.lookUp('Namespace', name) === undefined,
    );
    if (missing.length === 0) return;
    yield {
      message: `target namespaces do not exist: ${namesText(missing)}`,
      path: '$.spec.targetNamespaces',
    };
  },
});

function selectorSize({ selector }: ReturnType<typeof reviewGroup>['group']): number {
  return selector === null ? 0 : selector.matchLabels.size + selector.matchExpressions.length;
}
