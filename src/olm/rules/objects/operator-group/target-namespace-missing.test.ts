import { makeGroup, aNamespace, describeRule } from '../testing/harness.js';
import { targetNamespaceMissing } from './group-spec.js';

describeRule(targetNamespaceMissing, [
  { when: 'there', object: makeGroup(), cluster: [aNamespace('ns')], says: [] },
  { when: 'namespaces are not in view', object: makeGroup(), unknown: ['Namespace'], says: [] },
  {
    when: 'missing',
    object: makeGroup({ spec: { targetNamespaces: ['ns', 'x', 'y'] } }),
    cluster: [aNamespace('ns')],
    says: [{ id: 'missing', data: { missing: ['x', 'y'] } }],
  },
]);
