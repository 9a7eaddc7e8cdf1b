import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { staticProtectionLost } from './group-surroundings.js';
import { isStatic } from './testing/specs.js';

const protecting = makeGroup({ spec: isStatic, provides: 'Cat.v1.pets,Dog.v1.pets' });

describeRule(staticProtectionLost, [
  { when: 'created', object: protecting, says: [] },
  { when: 'unchanged', object: protecting, old: protecting, says: [] },
  {
    when: 'one API less',
    object: makeGroup({ spec: isStatic, provides: 'Cat.v1.pets' }),
    old: protecting,
    says: [{ id: 'lost', data: { lost: ['Dog.v1.pets'] } }],
  },
  {
    when: 'no longer static: members keep theirs',
    object: makeGroup({ provides: 'Cat.v1.pets,Dog.v1.pets' }),
    old: protecting,
    cluster: [aCsv()],
    says: [{ id: 'lost', data: { lost: ['Dog.v1.pets'] } }],
  },
  {
    when: 'was not static',
    object: makeGroup(),
    old: makeGroup({ provides: 'Dog.v1.pets' }),
    says: [],
  },
]);
