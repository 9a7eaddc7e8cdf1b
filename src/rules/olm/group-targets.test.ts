import { aGroup, aNamespace, describeRule } from './testing/harness.js';
import * as rules from './group-targets.js';

const prod = { selector: { matchLabels: { env: 'prod' } } };

describeRule(rules.invalidTargets, [
  { when: 'targets by name: fine', object: aGroup(), says: [] },
  { when: 'no targets at all: fine, global', object: aGroup({ spec: {} }), says: [] },
  {
    when: '"" among the targets',
    object: aGroup({ spec: { targetNamespaces: ['a', ''] } }),
    says: ['error: TargetNamespaces cannot contain NamespaceAll: [a ]'],
  },
  {
    when: 'an invalid selector, even beside targets',
    object: aGroup({
      spec: {
        targetNamespaces: ['a'],
        selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
      },
    }),
    says: ['error: "Is" is not a valid label selector operator'],
  },
]);

describeRule(rules.selectorIgnored, [
  { when: 'a selector alone', object: aGroup({ spec: prod }), says: [] },
  {
    when: 'an empty selector beside targets',
    object: aGroup({ spec: { targetNamespaces: ['a'], selector: {} } }),
    says: [],
  },
  {
    when: 'both',
    object: aGroup({ spec: { targetNamespaces: ['a'], ...prod } }),
    says: ['warning: spec.selector is ignored beside spec.targetNamespaces'],
  },
]);

describeRule(rules.emptySelector, [
  { when: 'matchLabels', object: aGroup({ spec: prod }), says: [] },
  { when: 'no selector is meant to be global', object: aGroup({ spec: {} }), says: [] },
  {
    when: 'an empty selector',
    object: aGroup({ spec: { selector: {} } }),
    says: ['warning: spec.selector selects all namespaces: it is empty'],
  },
  {
    when: 'a label without matchLabels, as a folder shows it',
    object: aGroup({ spec: { selector: { 'cool.io/prod': 'true' } } }),
    says: [
      'warning: spec.selector selects all namespaces: "cool.io/prod" stands directly beneath selector',
    ],
  },
]);

describeRule(rules.selectorMatchesNothing, [
  {
    when: 'a match',
    object: aGroup({ spec: prod }),
    cluster: [aNamespace('a', { env: 'prod' })],
    says: [],
  },
  {
    when: 'an invalid selector is another rule’s',
    object: aGroup({ spec: { selector: { matchLabels: { '!': 'x' } } } }),
    says: [],
  },
  {
    when: 'no match',
    object: aGroup({ spec: prod }),
    cluster: [aNamespace('a')],
    says: ['warning: spec.selector matches no namespace'],
  },
]);

describeRule(rules.targetNamespaceMissing, [
  { when: 'there', object: aGroup(), cluster: [aNamespace('ns')], says: [] },
  { when: 'namespaces are not in view', object: aGroup(), unknown: ['Namespace'], says: [] },
  {
    when: 'missing',
    object: aGroup({ spec: { targetNamespaces: ['ns', 'x', 'y'] } }),
    cluster: [aNamespace('ns')],
    says: ['warning: target namespaces do not exist: x, y'],
  },
]);
