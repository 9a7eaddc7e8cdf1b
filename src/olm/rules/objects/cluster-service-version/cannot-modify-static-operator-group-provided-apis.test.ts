import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { cannotModifyStaticOperatorGroupProvidedApis } from './group-membership.js';
import { rival } from './testing/objects.js';

const isStatic = { targetNamespaces: ['ns'], staticProvidedAPIs: true };

describeRule(cannotModifyStaticOperatorGroupProvidedApis, [
  {
    when: 'listed',
    object: aCsv(),
    cluster: [makeGroup({ spec: isStatic, provides: 'Cat.v1.pets' })],
    says: [],
  },
  { when: 'not static', object: aCsv(), cluster: [makeGroup()], says: [] },
  {
    when: 'not listed',
    object: aCsv(),
    cluster: [makeGroup({ spec: isStatic })],
    says: [
      'error: static provided api operatorgroup cannot be modified by these apis: OperatorGroup g does not list Cat.v1.pets',
    ],
  },
  {
    when: 'listed, and a rival provides it',
    object: aCsv(),
    cluster: [makeGroup({ spec: isStatic, provides: 'Cat.v1.pets' }), rival],
    says: [/^error: static provided api.*OperatorGroup h/],
  },
  {
    when: 'not listed, and a rival provides it: the other rule’s',
    object: aCsv(),
    cluster: [makeGroup({ spec: isStatic }), rival],
    says: [],
  },
]);
