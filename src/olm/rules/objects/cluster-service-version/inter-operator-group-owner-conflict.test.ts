import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { interOperatorGroupOwnerConflict } from './group-membership.js';
import { rival } from './testing/objects.js';

describeRule(interOperatorGroupOwnerConflict, [
  { when: 'alone', object: aCsv(), cluster: [makeGroup()], says: [] },
  {
    when: 'another API',
    object: aCsv({ owns: ['dogs.pets'] }),
    cluster: [makeGroup(), rival],
    says: [],
  },
  {
    when: 'a rival provides it',
    object: aCsv(),
    cluster: [makeGroup(), rival],
    says: [
      'error: intersecting operatorgroups provide the same apis: Cat.v1.pets is already provided by OperatorGroup h of namespace other for namespace ns',
    ],
  },
  {
    when: 'the own group lists it too: OLM removes it first and then fails',
    object: aCsv(),
    cluster: [makeGroup({ provides: 'Cat.v1.pets' }), rival],
    says: [/^error: intersecting/],
  },
  {
    when: 'each API is named',
    object: aCsv({ owns: ['cats.pets', 'dogs.pets'] }),
    cluster: [
      makeGroup(),
      rival,
      makeGroup({ name: 'i', namespace: 'third', spec: {}, provides: 'Dog.v1.pets' }),
    ],
    says: [/Cat\.v1\.pets .* h of/, /Dog\.v1\.pets .* i of/],
  },
]);
