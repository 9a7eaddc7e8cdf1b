import { aGroup, describeRule } from '../testing/harness.js';
import { operatorGroupNameTaken } from './operator-group-name-taken.js';

describeRule(operatorGroupNameTaken, [
  { when: 'no other has it', object: aGroup(), cluster: [aGroup({ name: 'other' })], says: [] },
  {
    when: 'groups of two other namespaces have it',
    object: aGroup(),
    cluster: [
      aGroup({ namespace: 'b', spec: { targetNamespaces: ['b'] } }),
      aGroup({ namespace: 'a', spec: { targetNamespaces: ['a'] } }),
    ],
    says: ['warning: an OperatorGroup of that name is in namespace a, b: '],
  },
]);
