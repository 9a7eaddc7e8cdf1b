import { aCsv, aGroup, describeRule } from '../testing/harness.js';
import { operatorGroupInUse } from './operator-group-in-use.js';

describeRule(operatorGroupInUse, [
  { when: 'no members', object: aGroup(), says: [] },
  {
    when: 'another group is left',
    object: aGroup(),
    cluster: [aCsv(), aGroup({ name: 'h' })],
    says: [],
  },
  {
    when: 'active members',
    object: aGroup(),
    cluster: [aCsv()],
    says: ['warning: OLM will fail cats.v1 with NoOperatorGroup'],
  },
]);
