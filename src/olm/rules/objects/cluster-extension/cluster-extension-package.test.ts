import { known } from '../testing/queue-catalog.js';
import { makeObject, describeRule } from '../testing/harness.js';
import { clusterExtensionPackage } from './extension-request.js';
import { catalogs, extension, older } from './testing/extension.js';

describeRule(clusterExtensionPackage, [
  {
    when: 'no catalog has the package',
    object: extension({ packageName: 'queues' }),
    catalogs,
    says: [
      'warning: no bundles found for package "queues" in the known catalog community (did you mean "queue"?)',
    ],
  },
  {
    when: 'the selector leaves out the catalog that has it',
    object: extension({
      selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': 'a' } },
    }),
    catalogs: [
      {
        ...known('a'),
        catalog: { ...known().catalog, packages: [], channels: [], bundles: [], deprecations: [] },
      },
      known('b'),
    ],
    says: ['warning: no bundles found for package "queue" in the known catalog a'],
  },
  {
    when: 'v1alpha1 asks for it',
    object: older({ packageName: 'queues' }),
    catalogs,
    says: ['warning: no bundles found for package "queues"'],
  },
  { when: 'a catalog has it', object: extension(), catalogs, says: [] },
  { when: 'no catalog is known', object: extension({ packageName: 'queues' }), says: [] },
  {
    when: 'the only catalog is not available',
    object: extension({ packageName: 'queues' }),
    catalogs,
    cluster: [
      makeObject('ClusterCatalog', 'community', '', { spec: { availabilityMode: 'Unavailable' } }),
    ],
    says: ['warning: no bundles found for package "queues"; community is Unavailable'],
  },
  {
    when: 'the selector leaves out every catalog',
    object: extension({ version: '1.x', selector: { matchLabels: { tier: 'gold' } } }),
    catalogs,
    cluster: [makeObject('ClusterCatalog', 'community', '', {})],
    says: [
      'warning: no bundles found for package "queue" matching version "1.x"; community is not selected by spec.source.catalog.selector',
    ],
  },
]);
