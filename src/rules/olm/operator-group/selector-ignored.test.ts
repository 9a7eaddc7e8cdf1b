import { aGroup, describeRule } from '../testing/harness.js';
import { selectorIgnored } from './selector-ignored.js';
import { prod } from './testing/specs.js';

describeRule(selectorIgnored, [
  { when: 'a selector alone', object: aGroup({ spec: prod }), says: [] },
  {
    when: 'an empty selector beside targets',
    object: aGroup({ spec: { targetNamespaces: ['a'], selector: {} } }),
    says: [],
  },
  {
    when: 'both',
    object: aGroup({ spec: { targetNamespaces: ['a'], ...prod } }),
    says: ['warning: spec.selector is ignored beside spec.targetNamespaces'],
  },
]);
