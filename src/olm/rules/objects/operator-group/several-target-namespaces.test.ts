import { makeGroup, describeRule } from '../testing/harness.js';
import { severalTargetNamespaces } from './group-spec.js';
import { prod } from './testing/specs.js';

describeRule(severalTargetNamespaces, [
  { when: 'one is targeted', object: makeGroup(), says: [] },
  { when: 'all are', object: makeGroup({ spec: {} }), says: [] },
  {
    when: 'two are',
    object: makeGroup({ spec: { targetNamespaces: ['a', 'b'] } }),
    says: [{ id: 'listed' }],
  },
  {
    when: 'a selector chooses them',
    object: makeGroup({ spec: prod }),
    says: [{ id: 'selected' }],
  },
]);
