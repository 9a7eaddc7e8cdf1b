import { describeRule } from '../testing/harness.js';
import { clusterExtensionVersion } from './cluster-extension-version.js';
import { catalogs, extension, two } from './testing/extension.js';

describeRule(clusterExtensionVersion, [
  {
    when: 'nothing is in the range',
    object: extension({ version: '>=3.0.0' }),
    catalogs,
    says: [
      'warning: no bundles found for package "queue" matching version ">=3.0.0"; there are 2.1.0, 2.0.0, 1.2.0, 1.1.0, 1.0.0, … (6 in all)',
    ],
  },
  {
    when: 'nothing in the channel is',
    object: extension({ version: '2.x', channels: ['stable'] }),
    catalogs,
    says: [
      'warning: no bundles found for package "queue" matching version "2.x" in channels [stable]; there are 1.2.0, 1.1.0, 1.0.0 in these channels',
    ],
  },
  {
    when: 'the installed one is not either',
    object: extension({ version: '>=3.0.0' }, '1.0.0'),
    catalogs,
    says: [
      'warning: error upgrading from currently installed version "1.0.0": no bundles found for package "queue" matching version ">=3.0.0"',
    ],
  },
  { when: 'something is', object: extension({ version: '1.x' }), catalogs, says: [] },
  {
    when: 'two catalogs have it alike',
    object: extension({ version: '1.x' }),
    catalogs: two,
    says: [],
  },
]);
