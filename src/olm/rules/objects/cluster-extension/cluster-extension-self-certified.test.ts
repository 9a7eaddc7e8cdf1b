import { describeRule } from '../testing/harness.js';
import { clusterExtensionSelfCertified } from './cluster-extension-self-certified.js';
import { catalogs, extension, older } from './testing/extension.js';

describeRule(clusterExtensionSelfCertified, [
  {
    when: 'edges do not count, and it goes back',
    object: extension({ version: '1.0.0', upgradeConstraintPolicy: 'SelfCertified' }, '1.2.0'),
    catalogs,
    says: [
      'warning: update edges of the catalog are not asked: 1.2.0 becomes 1.0.0; data loss is possible',
    ],
  },
  {
    when: 'no catalog is known',
    object: older({ upgradeConstraintPolicy: 'Ignore' }, '1.2.0'),
    says: ['warning: update edges of the catalog are not asked; data loss is possible'],
  },
  {
    when: 'they count',
    object: extension({ upgradeConstraintPolicy: 'CatalogProvided' }),
    catalogs,
    says: [],
  },
]);
