import { describeRule } from '../testing/harness.js';
import { subscriptionPackage } from './subscription-package.js';
import { catalogs, subscription } from './testing/subscription-catalog.js';

describeRule(subscriptionPackage, [
  {
    when: 'the catalog has no such package',
    object: subscription({ name: 'quue' }),
    catalogs,
    says: [
      'warning: no operators found in package quue in the catalog community (did you mean "queue"?)',
    ],
  },
  { when: 'it has it', object: subscription(), catalogs, says: [] },
  {
    when: 'the catalog is another one',
    object: subscription({ name: 'quue', source: 'other' }),
    catalogs,
    says: [],
  },
  {
    when: 'a catalog of that name is another namespace’s',
    object: subscription({ name: 'quue', sourceNamespace: 'ns' }),
    catalogs,
    says: [],
  },
  { when: 'no catalog is known', object: subscription({ name: 'quue' }), says: [] },
]);
