import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { operatorGroupInUse } from './group-surroundings.js';

describeRule(operatorGroupInUse, [
  { when: 'no members', object: makeGroup(), says: [] },
  {
    when: 'another group is left',
    object: makeGroup(),
    cluster: [aCsv(), makeGroup({ name: 'h' })],
    says: [],
  },
  {
    when: 'active members',
    object: makeGroup(),
    cluster: [aCsv()],
    says: [{ id: 'inUse', data: { names: ['cats.v1'] } }],
  },
]);
