import type { JsonObject } from '../../text/documents/index.js';
import { known } from './testdata/queue-catalog.js';
import { anObject, describeRule } from './testing/harness.js';
import * as rules from './subscription-catalog-rules.js';

const catalogs = [known()];

/** Subscription `ns/s` to queue in olm/community. */
function subscription(spec: JsonObject = {}, installedCSV?: string): JsonObject {
  return anObject('Subscription', 's', 'ns', {
    spec: {
      name: 'queue',
      channel: 'stable',
      source: 'community',
      sourceNamespace: 'olm',
      ...spec,
    },
    ...(installedCSV === undefined ? {} : { status: { installedCSV } }),
  });
}

describeRule(rules.subscriptionPackage, [
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

describeRule(rules.subscriptionChannel, [
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

describeRule(rules.subscriptionStartingCsv, [
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

describeRule(rules.packageDeprecated, [
  {
    when: 'the package is',
    object: subscription(),
    catalogs,
    says: ['warning: olm.package/queue: use topic'],
  },
  { when: 'it is not', object: subscription({ name: 'tidy', channel: '' }), catalogs, says: [] },
]);

describeRule(rules.channelDeprecated, [
  {
    when: 'the channel is',
    object: subscription({ channel: 'old' }),
    catalogs,
    says: ['warning: olm.channel/old: use stable'],
  },
  { when: 'it is not', object: subscription(), catalogs, says: [] },
]);

describeRule(rules.bundleDeprecated, [
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
