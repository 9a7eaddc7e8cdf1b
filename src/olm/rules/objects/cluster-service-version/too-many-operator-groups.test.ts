import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { tooManyOperatorGroups } from './too-many-operator-groups.js';

describeRule(tooManyOperatorGroups, [
  { when: 'one', object: aCsv(), cluster: [makeGroup()], says: [] },
  {
    when: 'two',
    object: aCsv(),
    cluster: [makeGroup(), makeGroup({ name: 'h' })],
    says: [
      "error: TooManyOperatorGroups: csv created in namespace with multiple operatorgroups, can't pick one automatically",
    ],
  },
]);
