import { describeRule, makeObject } from '../testing/harness.js';
import { clusterExtensionResolution } from './extension-path.js';
import { catalogs, extension } from './testing/extension.js';

describeRule(clusterExtensionResolution, [
  {
    when: 'it is new',
    object: extension({ channels: ['stable'] }),
    catalogs,
    says: [{ id: 'installs', data: { bundle: 'queue.v1.2.0 (1.2.0)', catalog: 'community' } }],
  },
  {
    when: 'it goes on',
    object: extension({}, '1.5.0'),
    catalogs,
    says: [
      {
        id: 'replaces',
        data: {
          from: '1.5.0',
          bundle: 'queue.v2.0.0 (2.0.0)',
          catalog: 'community',
          edges: ': skipRange >=1.5.0 <2.0.0 in channel next',
        },
      },
    ],
  },
  {
    when: 'it stays',
    object: extension({ version: '1.0.0' }, '1.0.0'),
    catalogs,
    says: [
      {
        id: 'stays',
        severity: 'info',
        data: { bundle: 'queue.v1.0.0 (1.0.0)', catalog: 'community' },
      },
    ],
  },
  {
    when: 'there is no ClusterCatalog of that name yet',
    object: extension({ channels: ['stable'] }),
    catalogs,
    says: [
      {
        id: 'installs',
        data: {
          assumption:
            '; this assumes that there will be a ClusterCatalog community and no other ClusterCatalog has the package',
        },
      },
    ],
  },
  {
    when: 'no ClusterCatalog can be read',
    object: extension({ channels: ['stable'] }),
    catalogs,
    unknown: ['ClusterCatalog'],
    says: [
      {
        id: 'installs',
        data: {
          assumption:
            '; this assumes that ClusterCatalog community is available and selected and no other ClusterCatalog has the package',
        },
      },
    ],
  },
  {
    when: 'the ClusterCatalog is as it is known',
    object: extension({ channels: ['stable'] }),
    catalogs,
    cluster: [makeObject('ClusterCatalog', 'community', '', {})],
    says: [
      {
        id: 'installs',
        data: {
          catalog: 'community',
          edges: '',
          assumption: '; this assumes that no other ClusterCatalog has the package',
        },
      },
    ],
  },
  { when: 'nothing is known', object: extension(), says: [] },
]);
