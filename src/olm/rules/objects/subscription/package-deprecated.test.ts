import { describeRule } from '../testing/harness.js';
import { packageDeprecated } from './subscription-package.js';
import { catalogs, subscription } from './testing/subscription-catalog.js';

describeRule(packageDeprecated, [
  {
    when: 'the package is',
    object: subscription(),
    catalogs,
    says: ['warning: olm.package/queue: use topic'],
  },
  { when: 'it is not', object: subscription({ name: 'tidy', channel: '' }), catalogs, says: [] },
]);
