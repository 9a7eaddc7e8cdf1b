import { describeRule } from '../testing/harness.js';
import { bundleDeprecated } from './subscription-package.js';
import { catalogs, subscription } from './testing/subscription-catalog.js';

describeRule(bundleDeprecated, [
  {
    when: 'the head of the channel is',
    object: subscription({ channel: 'old' }),
    catalogs,
    says: ['warning: olm.bundle/queue.v0.9.0: has a leak'],
  },
  {
    when: 'the starting bundle is',
    object: subscription({ startingCSV: 'queue.v0.9.0' }),
    catalogs,
    says: ['warning: olm.bundle/queue.v0.9.0: has a leak'],
  },
  {
    when: 'what is installed is, as only the stored object says',
    object: subscription(),
    old: subscription({}, 'queue.v0.9.0'),
    catalogs,
    says: ['warning: olm.bundle/queue.v0.9.0: has a leak'],
  },
  { when: 'none is', object: subscription(), catalogs, says: [] },
]);
