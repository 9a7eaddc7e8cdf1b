import { describeRule } from '../testing/harness.js';
import { subscriptionChannel } from './subscription-package.js';
import { catalogs, subscription } from './testing/subscription-catalog.js';

describeRule(subscriptionChannel, [
  {
    when: 'the package has no such channel',
    object: subscription({ channel: 'beta' }),
    catalogs,
    says: [
      'warning: no operators found in channel beta of package queue in the catalog community; it has next, old, stable',
    ],
  },
  { when: 'it names none', object: subscription({ channel: '' }), catalogs, says: [] },
  {
    when: 'the package is not there either',
    object: subscription({ name: 'quue', channel: 'beta' }),
    catalogs,
    says: [],
  },
]);
