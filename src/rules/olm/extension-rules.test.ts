import type { JsonObject } from '../../text/documents/index.js';
import { known } from './testdata/queue-catalog.js';
import * as outcomeRules from './extension-outcome-rules.js';
import * as rules from './extension-rules.js';
import { anObject, describeRule } from './testing/harness.js';

interface Fields {
  readonly packageName?: string;
  readonly version?: string;
  readonly channels?: string[];
  readonly selector?: JsonObject;
  readonly upgradeConstraintPolicy?: string;
}

const installedAs = (version: string): JsonObject => ({
  install: { bundle: { name: `queue.v${version}`, version } },
});

/** ClusterExtension `x` of package queue. */
function extension(catalog: Fields = {}, installed?: string): JsonObject {
  return anObject('ClusterExtension', 'x', '', {
    spec: {
      namespace: 'ns',
      source: { sourceType: 'Catalog', catalog: { packageName: 'queue', ...catalog } },
    },
    ...(installed === undefined ? {} : { status: installedAs(installed) }),
  });
}

/** The first shape of v1alpha1. */
function older(spec: JsonObject, installed?: string): JsonObject {
  const bundle = { name: `queue.v${installed ?? ''}`, version: installed ?? '' };
  return anObject('ClusterExtension', 'x', '', {
    spec: { packageName: 'queue', ...spec },
    ...(installed === undefined ? {} : { status: { installedBundle: bundle } }),
  });
}

const catalogs = [known()];
const two = [known('a'), known('b')];

describeRule(rules.extensionRange, [
  {
    when: 'a range cannot be read, catalogs or none',
    object: extension({ version: '>=1.0.0 beta' }),
    says: ['error: desired version range ">=1.0.0 beta" is invalid: improper constraint'],
  },
  {
    when: 'it is in v1alpha1',
    object: older({ version: '1.2 ||' }),
    says: ['error: desired version range "1.2 ||" is invalid'],
  },
  { when: 'it can be read', object: extension({ version: '>=1.11, <1.13' }), says: [] },
  { when: 'there is none', object: extension(), says: [] },
]);

describeRule(rules.extensionPackage, [
  {
    when: 'no catalog has the package',
    object: extension({ packageName: 'queues' }),
    catalogs,
    says: [
      'warning: no bundles found for package "queues" in the known catalog community (did you mean "queue"?)',
    ],
  },
  {
    when: 'the selector leaves out the catalog that has it',
    object: extension({
      selector: { matchLabels: { 'olm.operatorframework.io/metadata.name': 'a' } },
    }),
    catalogs: [
      {
        ...known('a'),
        catalog: { ...known().catalog, packages: [], channels: [], bundles: [], deprecations: [] },
      },
      known('b'),
    ],
    says: ['warning: no bundles found for package "queue" in the known catalog a'],
  },
  {
    when: 'v1alpha1 asks for it',
    object: older({ packageName: 'queues' }),
    catalogs,
    says: ['warning: no bundles found for package "queues"'],
  },
  { when: 'a catalog has it', object: extension(), catalogs, says: [] },
  { when: 'no catalog is known', object: extension({ packageName: 'queues' }), says: [] },
  {
    when: 'the only catalog is not available',
    object: extension({ packageName: 'queues' }),
    catalogs,
    cluster: [
      anObject('ClusterCatalog', 'community', '', { spec: { availabilityMode: 'Unavailable' } }),
    ],
    says: [],
  },
]);

describeRule(rules.extensionChannel, [
  {
    when: 'a channel is misspelt',
    object: extension({ channels: ['stabel'] }),
    catalogs,
    says: ['warning: package "queue" has no channel "stabel" (did you mean "stable"?)'],
  },
  {
    when: 'v1alpha1 names one that there is not',
    object: older({ channel: 'candidate' }),
    catalogs,
    says: ['warning: package "queue" has no channel "candidate"; it has next, old, stable'],
  },
  {
    when: 'one of two is there',
    object: extension({ channels: ['stable', 'candidate'] }),
    catalogs,
    says: ['warning: package "queue" has no channel "candidate"'],
  },
  {
    when: 'both are there',
    object: extension({ channels: ['stable', 'next'] }),
    catalogs,
    says: [],
  },
]);

describeRule(rules.extensionVersion, [
  {
    when: 'nothing is in the range',
    object: extension({ version: '>=3.0.0' }),
    catalogs,
    says: [
      'warning: no bundles found for package "queue" matching version ">=3.0.0"; there are 2.1.0, 2.0.0, 1.2.0, 1.1.0, 1.0.0, … (6 in all)',
    ],
  },
  {
    when: 'nothing in the channel is',
    object: extension({ version: '2.x', channels: ['stable'] }),
    catalogs,
    says: [
      'warning: no bundles found for package "queue" matching version "2.x" in channels [stable]; there are 1.2.0, 1.1.0, 1.0.0 in these channels',
    ],
  },
  {
    when: 'the installed one is not either',
    object: extension({ version: '>=3.0.0' }, '1.0.0'),
    catalogs,
    says: [
      'warning: error upgrading from currently installed version "1.0.0": no bundles found for package "queue" matching version ">=3.0.0"',
    ],
  },
  { when: 'something is', object: extension({ version: '1.x' }), catalogs, says: [] },
  {
    when: 'two catalogs have it alike',
    object: extension({ version: '1.x' }),
    catalogs: two,
    says: [],
  },
]);

describeRule(rules.extensionUpgradePath, [
  {
    when: 'the catalog has no edge to the version',
    object: extension({ version: '1.2.0' }, '1.0.0'),
    catalogs,
    says: [
      'warning: error upgrading from currently installed version "1.0.0": no bundles found for package "queue" matching version "1.2.0"; the catalog leads to queue.v1.1.0 (1.1.0)',
    ],
  },
  {
    when: 'the range is open, and has a version of the same major beside the next',
    object: extension({ version: '>=1.2' }, '1.0.0'),
    catalogs,
    says: [
      'warning: error upgrading from currently installed version "1.0.0": no bundles found for package "queue" matching version ">=1.2"; the catalog leads to queue.v1.1.0 (1.1.0)',
    ],
  },
  {
    when: 'v1alpha1 asks for it',
    object: older({ version: '1.2.0' }, '1.0.0'),
    catalogs,
    says: ['warning: error upgrading from currently installed version "1.0.0"'],
  },
  {
    when: 'only the stored object has a status',
    object: extension({ version: '1.2.0' }),
    old: extension({}, '1.0.0'),
    catalogs,
    says: ['warning: error upgrading from currently installed version "1.0.0"'],
  },
  {
    when: 'what is installed is in no catalog and nothing follows it',
    object: extension({}, '9.0.0'),
    catalogs,
    says: [/; the catalog leads nowhere from it$/],
  },
  {
    when: 'it is forced',
    object: extension({ version: '1.2.0', upgradeConstraintPolicy: 'SelfCertified' }, '1.0.0'),
    catalogs,
    says: [],
  },
  {
    when: 'there is an edge',
    object: extension({ version: '1.1.0' }, '1.0.0'),
    catalogs,
    says: [],
  },
  { when: 'it stays', object: extension({ version: '1.0.0' }, '1.0.0'), catalogs, says: [] },
]);

describeRule(rules.extensionForcing, [
  {
    when: 'only a lower version is in the range',
    object: extension({ version: '1.0.0' }, '1.2.0'),
    catalogs,
    says: [
      'warning: going back to queue.v1.0.0 (1.0.0) from 1.2.0 needs upgradeConstraintPolicy SelfCertified',
    ],
  },
  {
    when: 'only the next major version is',
    object: extension({ version: '^2.0.0' }, '1.2.0'),
    catalogs,
    says: [
      'warning: going to the next major version queue.v2.1.0 (2.1.0) from 1.2.0 needs upgradeConstraintPolicy SelfCertified',
    ],
  },
  {
    when: 'it is forced in v1alpha1',
    object: older({ version: '1.0.0', upgradeConstraintPolicy: 'Ignore' }, '1.2.0'),
    catalogs,
    says: [],
  },
  {
    when: 'something higher of the same major is in the range, and only the path to it is missing',
    object: extension({ version: '>=1.2' }, '1.0.0'),
    catalogs,
    says: [],
  },
  {
    when: 'a skipRange leads across majors',
    object: extension({ version: '^2.0.0' }, '1.5.0'),
    catalogs,
    says: [],
  },
]);

describeRule(rules.extensionSelfCertified, [
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

describeRule(outcomeRules.extensionUnresolvable, [
  {
    when: 'two catalogs of one priority have it',
    object: extension(),
    catalogs: two,
    says: [
      'warning: found bundles for package "queue" in multiple catalogs with the same priority [a b]',
    ],
  },
  {
    when: 'the bundle has a dependency',
    object: extension({ packageName: 'tidy' }),
    catalogs,
    says: ['warning: validating bundle "tidy.v1.0.0": bundle "tidy.v1.0.0" has a dependency'],
  },
  {
    when: 'the cluster gives one of them priority',
    object: extension(),
    catalogs: two,
    cluster: [anObject('ClusterCatalog', 'b', '', { spec: { priority: 1 } })],
    says: [],
  },
  {
    when: 'labels of the cluster’s catalogs choose one',
    object: extension({ selector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }),
    catalogs: two,
    cluster: [
      { kind: 'ClusterCatalog', metadata: { name: 'a', labels: { tier: 'gold' } } },
      { kind: 'ClusterCatalog', metadata: { name: 'b' } },
    ],
    says: [],
  },
  { when: 'one has it', object: extension(), catalogs, says: [] },
]);

describeRule(outcomeRules.extensionDeprecated, [
  {
    when: 'package, channel and bundle are',
    object: extension({ channels: ['old'] }),
    catalogs,
    says: [
      'warning: olm.package/queue: use topic',
      'warning: olm.channel/old: use stable',
      'warning: olm.bundle/queue.v0.9.0: has a leak',
    ],
  },
  { when: 'nothing is', object: extension({ packageName: 'tidy' }), catalogs, says: [] },
]);

describeRule(outcomeRules.extensionResolution, [
  {
    when: 'it is new',
    object: extension({ channels: ['stable'] }),
    catalogs,
    says: ['warning: installs queue.v1.2.0 (1.2.0) of catalog community'],
  },
  {
    when: 'it goes on',
    object: extension({}, '1.5.0'),
    catalogs,
    says: [
      'warning: replaces 1.5.0 by queue.v2.0.0 (2.0.0) of catalog community: skipRange >=1.5.0 <2.0.0 in channel next',
    ],
  },
  {
    when: 'it stays',
    object: extension({ version: '1.0.0' }, '1.0.0'),
    catalogs,
    says: ['info: stays at queue.v1.0.0 (1.0.0) of catalog community'],
  },
  { when: 'nothing is known', object: extension(), says: [] },
]);
