import { aCsv, makeGroup, describeRule } from '../testing/harness.js';
import { multipleOperatorGroups } from './group-failures.js';

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
  {
    when: 'the second, and a member fails by it',
    object: makeGroup(),
    cluster: [makeGroup({ name: 'h' }), aCsv()],
    says: [{ id: 'fails', data: { members: 'cats.v1' }, severity: 'error' }],
  },
]);
