import { makeGroup, describeRule } from '../testing/harness.js';
import { operatorGroupNameTaken } from './group-surroundings.js';

describeRule(operatorGroupNameTaken, [
  {
    when: 'no other has it',
    object: makeGroup(),
    cluster: [makeGroup({ name: 'other' })],
    says: [],
  },
  {
    when: 'groups of two other namespaces have it',
    object: makeGroup(),
    cluster: [
      makeGroup({ namespace: 'b', spec: { targetNamespaces: ['b'] } }),
      makeGroup({ namespace: 'a', spec: { targetNamespaces: ['a'] } }),
    ],
    says: [{ id: 'taken', data: { names: ['a', 'b'] } }],
  },
]);
