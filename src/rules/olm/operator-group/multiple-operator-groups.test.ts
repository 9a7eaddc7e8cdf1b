import { aGroup, describeRule } from '../testing/harness.js';
import { multipleOperatorGroups } from './multiple-operator-groups.js';

describeRule(multipleOperatorGroups, [
  {
    when: 'the first',
    object: aGroup(),
    cluster: [aGroup({ name: 'h', namespace: 'other' })],
    says: [],
  },
  {
    when: 'the second',
    object: aGroup(),
    cluster: [aGroup({ name: 'h' })],
    says: [
      'warning: namespace ns has an OperatorGroup already: h; members fail with TooManyOperatorGroups',
    ],
  },
]);
