import { makeGroup, describeRule } from '../testing/harness.js';
import { selectorIgnored } from './group-spec.js';
import { prod } from './testing/specs.js';

describeRule(selectorIgnored, [
  { when: 'a selector alone', object: makeGroup({ spec: prod }), says: [] },
  {
    when: 'an empty selector beside targets',
    object: makeGroup({ spec: { targetNamespaces: ['a'], selector: {} } }),
    says: [],
  },
  {
    when: 'both',
    object: makeGroup({ spec: { targetNamespaces: ['a'], ...prod } }),
    says: [{ id: 'ignored' }],
  },
]);
