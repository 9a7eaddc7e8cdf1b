import { makeObject, describeRule } from '../testing/harness.js';
import { clusterExtensionUnresolvable } from './cluster-extension-unresolvable.js';
import { catalogs, extension, two } from './testing/extension.js';

describeRule(clusterExtensionUnresolvable, [
  {
    when: 'two catalogs of one priority have it',
    object: extension(),
    catalogs: two,
    says: [
      'warning: found bundles for package "queue" in multiple catalogs with the same priority [a b]',
    ],
  },
  {
    when: 'the bundle has a dependency',
    object: extension({ packageName: 'tidy' }),
    catalogs,
    says: ['warning: validating bundle "tidy.v1.0.0": bundle "tidy.v1.0.0" has a dependency'],
  },
  {
    when: 'the cluster gives one of them priority',
    object: extension(),
    catalogs: two,
    cluster: [makeObject('ClusterCatalog', 'b', '', { spec: { priority: 1 } })],
    says: [],
  },
  {
    when: 'labels of the cluster’s catalogs choose one',
    object: extension({ selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }),
    catalogs: two,
    cluster: [
      { kind: 'ClusterCatalog', metadata: { name: 'a', labels: { tier: 'gold' } } },
      { kind: 'ClusterCatalog', metadata: { name: 'b' } },
    ],
    says: [],
  },
  { when: 'one has it', object: extension(), catalogs, says: [] },
]);
