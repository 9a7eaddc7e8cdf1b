import { aCsv, aGroup, describeRule } from '../testing/harness.js';
import { tooManyOperatorGroups } from './too-many-operator-groups.js';

describeRule(tooManyOperatorGroups, [
  { when: 'one', object: aCsv(), cluster: [aGroup()], says: [] },
  {
    when: 'two',
    object: aCsv(),
    cluster: [aGroup(), aGroup({ name: 'h' })],
    says: [
      "error: TooManyOperatorGroups: csv created in namespace with multiple operatorgroups, can't pick one automatically",
    ],
  },
]);
