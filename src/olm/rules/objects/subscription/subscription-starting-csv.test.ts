import { describeRule } from '../testing/harness.js';
import { subscriptionStartingCsv } from './subscription-package.js';
import { catalogs, subscription } from './testing/subscription-catalog.js';

describeRule(subscriptionStartingCsv, [
  {
    when: 'the bundle is in another channel',
    object: subscription({ startingCSV: 'queue.v2.0.0' }),
    catalogs,
    says: [
      'warning: no operators found with name queue.v2.0.0 in channel stable of package queue in the catalog community; it is in next',
    ],
  },
  {
    when: 'there is none',
    object: subscription({ startingCSV: 'queue.v1.0.1' }),
    catalogs,
    says: [/ \(did you mean "queue\.v1\.0\.0"\?\)$/],
  },
  {
    when: 'it is there',
    object: subscription({ startingCSV: 'queue.v1.0.0' }),
    catalogs,
    says: [],
  },
  {
    when: 'something is installed already',
    object: subscription({ startingCSV: 'queue.v1.0.1' }, 'queue.v1.2.0'),
    catalogs,
    says: [],
  },
]);
