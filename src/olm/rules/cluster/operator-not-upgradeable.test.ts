import { operatorNotUpgradeable } from './upgrade-blockers.js';
import { condition, describeScanRule } from './testing/scan-rows.js';

describeScanRule(operatorNotUpgradeable, [
  {
    when: 'an operator says so',
    objects: [condition('False')],
    says: [
      { of: 'ns/cats.v1', id: 'waits', data: { reason: 'the operator is not upgradeable: busy' } },
    ],
  },
  {
    when: 'an override lets it go',
    objects: [
      condition('False', { spec: { overrides: [{ type: 'Upgradeable', status: 'True' }] } }),
      condition('True'),
    ],
    says: [],
  },
]);
