import { describeRule } from '../testing/harness.js';
import { clusterExtensionSelfCertified } from './extension-request.js';
import { catalogs, extension, older } from './testing/extension.js';

describeRule(clusterExtensionSelfCertified, [
  {
    when: 'edges do not count, and it goes back',
    object: extension({ version: '1.0.0', upgradeConstraintPolicy: 'SelfCertified' }, '1.2.0'),
    catalogs,
    says: [{ id: 'step', data: { from: '1.2.0', to: '1.0.0' } }],
  },
  {
    when: 'no catalog is known',
    object: older({ upgradeConstraintPolicy: 'Ignore' }, '1.2.0'),
    says: [{ id: 'stepUnknown' }],
  },
  {
    when: 'they count',
    object: extension({ upgradeConstraintPolicy: 'CatalogProvided' }),
    catalogs,
    says: [],
  },
]);
