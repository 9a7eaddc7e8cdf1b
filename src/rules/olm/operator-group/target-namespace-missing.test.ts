import { aGroup, aNamespace, describeRule } from '../testing/harness.js';
import { targetNamespaceMissing } from './target-namespace-missing.js';

describeRule(targetNamespaceMissing, [
  { when: 'there', object: aGroup(), cluster: [aNamespace('ns')], says: [] },
  { when: 'namespaces are not in view', object: aGroup(), unknown: ['Namespace'], says: [] },
  {
    when: 'missing',
    object: aGroup({ spec: { targetNamespaces: ['ns', 'x', 'y'] } }),
    cluster: [aNamespace('ns')],
    says: ['warning: target namespaces do not exist: x, y'],
  },
]);
