import { makeGroup, describeRule } from '../testing/harness.js';
import { multipleOperatorGroups } from './multiple-operator-groups.js';

describeRule(multipleOperatorGroups, [
  {
    when: 'the first',
    object: makeGroup(),
    cluster: [makeGroup({ name: 'h', namespace: 'other' })],
    says: [],
  },
  {
    when: 'the second',
    object: makeGroup(),
    cluster: [makeGroup({ name: 'h' })],
    says: [
      'warning: namespace ns has an OperatorGroup already: h; members fail with TooManyOperatorGroups',
    ],
  },
]);
