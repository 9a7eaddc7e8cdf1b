import { objectAt } from '../../../../text/documents/fields.js';
import { from, sources } from '../../../../rule/index.js';
import { defineOperatorGroupRule } from '../rule.js';
import { reviewGroup } from './group-review.js';
import { ApiSet } from '../../../operator-groups/api-set.js';
import { metaOf } from '../../../../text/documents/index.js';
import { exampleGroup } from '../examples.js';

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
    after: exampleGroup('selector: { env: prod }'),
    says: 'spec.selector selects all namespaces: "env" stands directly beneath selector',
    accepted: exampleGroup('selector: { matchLabels: { env: prod } }'),
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
    after: exampleGroup('targetNamespaces: [pets], selector: { matchLabels: { env: prod } }'),
    says: 'spec.selector is ignored beside spec.targetNamespaces',
    accepted: exampleGroup(),
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const size = selectorSize(group);
    if (group.targetNamespaces.length === 0 || size === 0) return;
    yield { id: 'ignored', path: '$.spec.selector' };
  },
});

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
    after: exampleGroup('selector: { matchLabels: { env: production } }'),
    says: 'spec.selector matches no namespace',
    accepted: exampleGroup('selector: { matchLabels: { env: prod } }'),
  },
  *judge(context) {
    const { group, targetError } = context.fact(reviewGroup);
    if (targetError !== null || group.statusNamespaces.length > 0) return;
    yield { id: 'matchesNothing', path: '$.spec.selector' };
  },
});

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
    after: exampleGroup('targetNamespaces: [pet]'),
    says: 'target namespaces do not exist: pet',
    accepted: exampleGroup(),
  },
  *judge(context) {
    const { group } = context.fact(reviewGroup);
    const missing = group.targetNamespaces.filter(
      (name) => name !== '' && context.view.lookUp('Namespace', name) === undefined,
    );
    if (missing.length === 0) return;
    yield { id: 'missing', data: { missing }, path: '$.spec.targetNamespaces' };
  },
});

export const unreadableProvidedApis = defineOperatorGroupRule({
  id: 'UnreadableProvidedAPIs',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'Every entry of olm.providedAPIs is a <kind>.<version>.<group>.',
  why: 'OLM ignores an entry with fewer than two dots, so it protects nothing.',
  otherwise: 'OLM reports no error: OLM ignores an entry that is no <kind>.<version>.<group>',
  instead: 'Write <kind>.<version>.<group>, separated by commas.',
  source: from.olm(
    'pkg/controller/registry/resolver/cache/operators.go',
    'GVKStringToProvidedAPISet',
  ),
  messages: { unreadable: 'olm.providedAPIs has entries that OLM ignores: {ignored}' },
  example: {
    after: exampleGroup('targetNamespaces: [pets]', { apis: 'Cat.v1' }),
    says: 'olm.providedAPIs has entries that OLM ignores: Cat.v1',
    accepted: exampleGroup('targetNamespaces: [pets]', { apis: 'Cat.v1.example.com' }),
  },
  *judge(context) {
    const annotation = context.fact(reviewGroup).group.providedAPIs ?? '';
    const ignored = annotation
      .replaceAll(' ', '')
      .split(',')
      .filter((entry) => entry !== '' && ApiSet.parse(entry).size === 0);
    if (ignored.length === 0) return;
    yield {
      id: 'unreadable',
      data: { ignored },
      path: '$.metadata.annotations["olm.providedAPIs"]',
    };
  },
});

const annotation = 'olm.providedAPIs';

export const misspeltProvidedApis = defineOperatorGroupRule({
  id: 'MisspeltProvidedAPIs',
  severity: 'warning',
  protects: 'own-namespace',
  checks: 'The annotation olm.providedAPIs is written in the case in which OLM reads it.',
  why: 'Keys of annotations are case-sensitive: OLM does not see olm.providedapis, so the APIs that it names are not protected.',
  otherwise: 'OLM reports no error: OLM ignores the annotation',
  instead: 'Write olm.providedAPIs.',
  source: from.olmApi('pkg/operators/v1/operatorgroup_types.go'),
  messages: { misspelt: 'OLM does not read {misspelt}, only {annotation}' },
  example: {
    after: exampleGroup('targetNamespaces: [pets]', {
      annotations: 'olm.providedapis: Cat.v1.example.com',
    }),
    says: 'OLM does not read olm.providedapis, only olm.providedAPIs',
    accepted: exampleGroup('targetNamespaces: [pets]', {
      annotations: 'olm.providedAPIs: Cat.v1.example.com',
    }),
  },
  *judge({ object }) {
    const misspelt = [...metaOf(object).annotations.keys()].filter(
      (key) => key !== annotation && key.toLowerCase() === annotation.toLowerCase(),
    );
    if (misspelt.length === 0) return;
    yield {
      id: 'misspelt',
      data: { misspelt, annotation },
      path: '$.metadata.annotations',
      fix: `Write ${annotation}.`,
    };
  },
});

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
    after: exampleGroup('targetNamespaces: [pets, zoo]'),
    says: 'several target namespaces are not recommended',
    accepted: exampleGroup(),
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

function selectorSize({ selector }: ReturnType<typeof reviewGroup>['group']): number {
  return selector === null ? 0 : selector.matchLabels.size + selector.matchExpressions.length;
}

export const groupSpecRules = [
  selectorSelectsAll,
  selectorIgnored,
  selectorMatchesNothing,
  targetNamespaceMissing,
  unreadableProvidedApis,
  misspeltProvidedApis,
  severalTargetNamespaces,
];
