import { loadCatalog } from '../../../catalogs/load.js';
import { describeRule } from '../testing/harness.js';
import { clusterExtensionVersion } from './extension-request.js';
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
    when: 'only pre-releases are, which the range does not take',
    object: extension({ packageName: 'early', version: '>=0.9.0' }),
    catalogs: [
      {
        ...{ name: 'community', priority: 0 },
        catalog: loadCatalog([
          {
            path: 'catalog.json',
            content: JSON.stringify({
              ...{ schema: 'olm.bundle', package: 'early', name: 'early.v1.0.0-rc.1', image: 'i' },
              properties: [
                { type: 'olm.package', value: { packageName: 'early', version: '1.0.0-rc.1' } },
              ],
            }),
          },
        ]).catalog,
      },
    ],
    says: [
      'warning: no bundles found for package "early" matching version ">=0.9.0"; there are 1.0.0-rc.1; a range without a pre-release takes none',
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
