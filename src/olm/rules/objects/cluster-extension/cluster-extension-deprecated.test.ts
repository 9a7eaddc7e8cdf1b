import { describeRule } from '../testing/harness.js';
import { clusterExtensionDeprecated } from './extension-request.js';
import { catalogs, extension } from './testing/extension.js';

describeRule(clusterExtensionDeprecated, [
  {
    when: 'package, channel and bundle are',
    object: extension({ channels: ['old'] }),
    catalogs,
    says: [
      'warning: olm.package/queue: use topic',
      'warning: olm.channel/old: use stable',
      'warning: olm.bundle/queue.v0.9.0: has a leak',
    ],
  },
  { when: 'nothing is', object: extension({ packageName: 'tidy' }), catalogs, says: [] },
]);
