import { aGroup, describeRule } from '../testing/harness.js';
import { severalTargetNamespaces } from './several-target-namespaces.js';
import { prod } from './testing/specs.js';

describeRule(severalTargetNamespaces, [
  { when: 'one is targeted', object: aGroup(), says: [] },
  { when: 'all are', object: aGroup({ spec: {} }), says: [] },
  {
    when: 'two are',
    object: aGroup({ spec: { targetNamespaces: ['a', 'b'] } }),
    says: ['warning: several target namespaces are not recommended'],
  },
  {
    when: 'a selector chooses them',
    object: aGroup({ spec: prod }),
    says: ['warning: a label selector is not recommended'],
  },
]);
