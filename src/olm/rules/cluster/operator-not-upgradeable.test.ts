import { operatorNotUpgradeable } from './operator-not-upgradeable.js';
import { condition, describeScanRule } from './testing/scan-rows.js';

describeScanRule(operatorNotUpgradeable, [
  {
    when: 'an operator says so',
    objects: [condition('False')],
    says: [/^warning ns\/cats\.v1: the next version will wait: .*busy/],
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
