import { exampleExtension } from '../example-objects.js';
import { textAt } from '../../../../text/documents/fields.js';
import { from } from '../../../../rule/index.js';
import { defineExtensionRule } from '../rule.js';

export const clusterExtensionServiceAccount = defineExtensionRule({
  id: 'ClusterExtensionServiceAccount',
  severity: 'warning',
  checks: 'A ClusterExtension names no ServiceAccount.',
  why: 'operator-controller has ignored spec.serviceAccount since v1.11: it installs with its own rights, those of a cluster administrator, so the rights of the named account limit nothing. Up to v1.10 the field is required.',
  otherwise:
    'OLM v1 only logs it: spec.serviceAccount is deprecated, is ignored, and will be removed',
  instead:
    'Leave spec.serviceAccount out from v1.11 on; limit instead who may write ClusterExtensions, and which packages and namespaces they may name.',
  source: from.operatorController('api/v1/clusterextension_types.go', 'ClusterExtensionSpec'),
  messages: {
    ignored:
      'operator-controller ignores spec.serviceAccount since v1.11 and installs with its own rights: what {account} may do limits nothing',
  },
  example: {
    after: exampleExtension('', { spec: 'serviceAccount: { name: installer }' }),
    says: 'what installer may do limits nothing',
    accepted: exampleExtension(),
  },
  *judge({ object }) {
    const account = textAt(object, 'spec', 'serviceAccount', 'name') ?? '';
    if (account === '') return;
    yield { id: 'ignored', data: { account }, path: '$.spec.serviceAccount' };
  },
});
