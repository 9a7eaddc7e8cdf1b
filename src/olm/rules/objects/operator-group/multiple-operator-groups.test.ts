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
    says: [{ id: 'taken', data: { namespace: 'ns', names: ['h'] } }],
  },
]);
