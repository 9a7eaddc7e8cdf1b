import { makeGroup, describeRule } from '../testing/harness.js';
import { unreadableProvidedApis } from './group-spec.js';

describeRule(unreadableProvidedApis, [
  {
    when: 'readable, with blanks and empty entries',
    object: makeGroup({ provides: 'Cat.v1.pets, ,Dog.v1.' }),
    says: [],
  },
  {
    when: 'too few dots',
    object: makeGroup({ provides: 'Cat.v1.pets,Cat,cats.pets' }),
    says: [{ id: 'unreadable', data: { ignored: ['Cat', 'cats.pets'] } }],
  },
]);
