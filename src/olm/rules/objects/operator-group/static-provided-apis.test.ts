import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { staticProvidedApis } from './group-failures.js';
import { isStatic } from './testing/specs.js';

describeRule(staticProvidedApis, [
  { when: 'not static', object: makeGroup(), cluster: [aCsv()], says: [] },
  {
    when: 'listed',
    object: makeGroup({ spec: isStatic, provides: 'Cat.v1.pets' }),
    cluster: [aCsv()],
    says: [],
  },
  {
    when: 'a member’s API is not listed',
    object: makeGroup({ spec: isStatic, provides: 'Dog.v1.pets' }),
    cluster: [aCsv()],
    says: [
      'error: static provided api operatorgroup cannot be modified by these apis: cats.v1 provides Cat.v1.pets',
    ],
  },
]);
