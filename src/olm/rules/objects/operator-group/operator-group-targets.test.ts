import { makeGroup, describeRule } from '../testing/harness.js';
import { operatorGroupTargets } from './group-failures.js';

describeRule(operatorGroupTargets, [
  { when: 'targets by name: fine', object: makeGroup(), says: [] },
  { when: 'no targets at all: fine, global', object: makeGroup({ spec: {} }), says: [] },
  {
    when: '"" among the targets',
    object: makeGroup({ spec: { targetNamespaces: ['a', ''] } }),
    says: ['error: TargetNamespaces cannot contain NamespaceAll: [a ]'],
  },
  {
    when: 'an invalid selector, even beside targets',
    object: makeGroup({
      spec: {
        targetNamespaces: ['a'],
        selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
      },
    }),
    says: ['error: "Is" is not a valid label selector operator'],
  },
]);
