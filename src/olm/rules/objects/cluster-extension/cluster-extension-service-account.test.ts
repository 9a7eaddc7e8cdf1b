import { describeRule, makeObject } from '../testing/harness.js';
import { clusterExtensionServiceAccount } from './extension-request.js';
import { extension } from './testing/extension.js';

describeRule(clusterExtensionServiceAccount, [
  {
    when: 'one is named',
    object: makeObject('ClusterExtension', 'x', '', {
      spec: { serviceAccount: { name: 'installer' } },
    }),
    says: [{ id: 'ignored', data: { account: 'installer' } }],
  },
  { when: 'none is named', object: extension(), says: [] },
]);
