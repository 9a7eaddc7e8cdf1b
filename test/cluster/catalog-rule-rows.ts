/**
 * For every rule that asks the known catalogs: a request that it is about, and one that is fine. The gate
 * knows the same small catalog twice, as `community` and as `rival`.
 */
import type { JsonObject } from '../../src/text/documents/index.js';
import { queueCatalogText } from '../../src/olm/rules/objects/testing/queue-catalog.js';
import { aCsv, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import type { OlmRuleRow, RuleRequest } from './olm-rule-rows.js';

/** For operators in all namespaces alone. */
const wide = [
  { schema: 'olm.package', name: 'wide', defaultChannel: 'stable' },
  { schema: 'olm.channel', package: 'wide', name: 'stable', entries: [{ name: 'wide.v1.0.0' }] },
  {
    ...{ schema: 'olm.bundle', package: 'wide', name: 'wide.v1.0.0' },
    image: 'quay.io/example/wide',
    properties: [
      { type: 'olm.package', value: { packageName: 'wide', version: '1.0.0' } },
      {
        type: 'olm.csv.metadata',
        value: { installModes: [{ type: 'AllNamespaces', supported: true }] },
      },
    ],
  },
];

/** Provides an API, and works up to OpenShift 4.15. */
const upTo415 = [
  { schema: 'olm.package', name: 'upto', defaultChannel: 'stable' },
  { schema: 'olm.channel', package: 'upto', name: 'stable', entries: [{ name: 'upto.v1.0.0' }] },
  {
    ...{ schema: 'olm.bundle', package: 'upto', name: 'upto.v1.0.0' },
    image: 'quay.io/example/upto',
    properties: [
      { type: 'olm.package', value: { packageName: 'upto', version: '1.0.0' } },
      { type: 'olm.gvk', value: { group: 'upto.io', version: 'v1', kind: 'Cat' } },
      { type: 'olm.maxOpenShiftVersion', value: '4.15' },
    ],
  },
];

/** The catalog that the rows are about. */
export const rowsCatalogText = [
  queueCatalogText,
  ...[...wide, ...upTo415].map((blob) => JSON.stringify(blob)),
].join('\n');

const create = (object: JsonObject): RuleRequest => ({ object });
const update = (object: JsonObject): RuleRequest => ({ object, operation: 'UPDATE' });

const onlyCommunity = {
  matchLabels: { 'olm.operatorframework.io/metadata.name': 'community' },
};

/** A ClusterExtension of package queue, from the catalog community. */
function extension(name: string, catalog: JsonObject = {}, installed?: string): JsonObject {
  const filter = { packageName: 'queue', selector: onlyCommunity, ...catalog };
  return makeObject('ClusterExtension', name, '', {
    spec: { namespace: 'default', source: { sourceType: 'Catalog', catalog: filter } },
    ...(installed === undefined
      ? {}
      : { status: { install: { bundle: { name: `queue.v${installed}`, version: installed } } } }),
  });
}

const withAccount = (object: JsonObject): JsonObject => ({
  ...object,
  spec: { ...(object['spec'] as JsonObject), serviceAccount: { name: 'installer' } },
});

const subscription = (namespace: string, spec: JsonObject = {}): JsonObject =>
  makeObject('Subscription', 's', namespace, {
    spec: {
      name: 'queue',
      channel: 'stable',
      source: 'community',
      sourceNamespace: 'olm',
      ...spec,
    },
  });

const cluster = (name: string, version: string): JsonObject =>
  makeObject('ClusterVersion', name, '', {
    spec: { desiredUpdate: { version } },
    status: { history: [{ state: 'Completed', version: '4.15.3' }] },
  });

const limited = (namespace: string): JsonObject =>
  aCsv({
    namespace,
    name: 'limited.v1',
    owns: [`cats.${namespace}.io`],
    metadata: {
      annotations: {
        'operatorframework.io/properties':
          '{"properties":[{"type":"olm.maxOpenShiftVersion","value":"4.15"}]}',
      },
    },
  });

export const catalogRuleRows: readonly OlmRuleRow[] = [
  {
    rule: 'ClusterExtensionRange',
    decision: 'denied',
    cluster: (n) => [extension(n, { version: '1.0.0' })],
    bad: (n) => update(extension(n, { version: '>=1.0.0 beta' })),
    good: (n) => update(extension(n, { version: '>=1.0.0, <2.0.0' })),
  },
  {
    rule: 'ClusterExtensionPackage',
    decision: 'warned',
    bad: (n) => create(extension(n, { packageName: 'quue' })),
    good: (n) => create(extension(n)),
  },
  {
    rule: 'ClusterExtensionServiceAccount',
    decision: 'warned',
    bad: (n) => create(withAccount(extension(n))),
    good: (n) => create(extension(n)),
  },
  {
    rule: 'ClusterExtensionChannel',
    decision: 'warned',
    bad: (n) => create(extension(n, { channels: ['stabel'] })),
    good: (n) => create(extension(n, { channels: ['stable'] })),
  },
  {
    rule: 'ClusterExtensionVersion',
    decision: 'warned',
    bad: (n) => create(extension(n, { version: '>=3.0.0' })),
    good: (n) => create(extension(n, { version: '>=2.0.0' })),
  },
  {
    rule: 'ClusterExtensionUpgradePath',
    decision: 'warned',
    cluster: (n) => [extension(n, { version: '1.0.0' }, '1.0.0')],
    bad: (n) => update(extension(n, { version: '>=1.2' }, '1.0.0')),
    good: (n) => update(extension(n, { version: '1.1.0' }, '1.0.0')),
  },
  {
    rule: 'ClusterExtensionForcing',
    decision: 'warned',
    cluster: (n) => [extension(n, {}, '1.2.0')],
    bad: (n) => update(extension(n, { version: '1.0.0' }, '1.2.0')),
    good: (n) => update(extension(n, { version: '>=1.0.0' }, '1.2.0')),
  },
  {
    rule: 'ClusterExtensionSelfCertified',
    decision: 'warned',
    bad: (n) => create(extension(n, { upgradeConstraintPolicy: 'SelfCertified' })),
    good: (n) => create(extension(n, { upgradeConstraintPolicy: 'CatalogProvided' })),
  },
  {
    rule: 'ClusterExtensionUnresolvable',
    decision: 'warned',
    bad: (n) => create(extension(n, { selector: {} })),
    good: (n) => create(extension(n)),
  },
  {
    rule: 'ClusterExtensionInstallFails',
    decision: 'warned',
    cluster: (n) => [aCsv({ namespace: n, name: 'cats.v1', owns: ['cats.upto.io'] })],
    bad: (n) => create(extension(n, { packageName: 'upto' })),
    good: (n) => create(extension(n)),
  },
  {
    rule: 'ClusterExtensionDeprecated',
    decision: 'warned',
    bad: (n) => create(extension(n, { channels: ['old'] })),
    good: (n) => create(extension(n, { packageName: 'tidy' })),
  },
  {
    rule: 'ClusterExtensionResolution',
    decision: 'warned',
    cluster: (n) => [extension(`${n}-installed`, { version: '1.0.0' }, '1.0.0')],
    bad: (n) => create(extension(n)),
    good: (n) => update(extension(`${n}-installed`, { version: '1.0.0' })),
  },
  {
    rule: 'SubscriptionPackage',
    decision: 'warned',
    bad: (n) => create(subscription(n, { name: 'quue' })),
    good: (n) => create(subscription(n)),
  },
  {
    rule: 'SubscriptionChannel',
    decision: 'warned',
    bad: (n) => create(subscription(n, { channel: 'beta' })),
    good: (n) => create(subscription(n, { channel: 'next' })),
  },
  {
    rule: 'SubscriptionStartingCSV',
    decision: 'warned',
    bad: (n) => create(subscription(n, { startingCSV: 'queue.v2.0.0' })),
    good: (n) => create(subscription(n, { startingCSV: 'queue.v1.0.0' })),
  },
  {
    rule: 'SubscriptionInstallFails',
    decision: 'warned',
    cluster: (n) => [
      makeObject('OperatorGroup', 'g', n, {
        spec: { targetNamespaces: [n] },
        status: { namespaces: [n], lastUpdated: '2026-01-01T00:00:00Z' },
      }),
    ],
    bad: (n) => create(subscription(n, { name: 'wide' })),
    good: (n) => create(subscription(n)),
  },
  {
    rule: 'SubscriptionLimitsCluster',
    decision: 'warned',
    cluster: () => [
      makeObject('ClusterVersion', 'version', '', { status: { desired: { version: '4.15.3' } } }),
    ],
    bad: (n) => create(subscription(n, { name: 'upto' })),
    good: (n) => create(subscription(n, { name: 'tidy', channel: 'only' })),
  },
  {
    rule: 'SubscriptionDeadEnd',
    decision: 'warned',
    cluster: (n) => [
      {
        ...subscription(n, { channel: 'old' }),
        status: { installedCSV: 'queue.v0.9.0', lastUpdated: '2026-01-01T00:00:00Z' },
      },
    ],
    bad: (n) => update(subscription(n)),
    good: (n) => update(subscription(n, { channel: 'old' })),
  },
  {
    rule: 'PackageDeprecated',
    decision: 'warned',
    bad: (n) => create(subscription(n)),
    good: (n) => create(subscription(n, { name: 'tidy', channel: 'only' })),
  },
  {
    rule: 'ChannelDeprecated',
    decision: 'warned',
    bad: (n) => create(subscription(n, { channel: 'old' })),
    good: (n) => create(subscription(n)),
  },
  {
    rule: 'BundleDeprecated',
    decision: 'warned',
    bad: (n) => create(subscription(n, { channel: 'old' })),
    good: (n) => create(subscription(n)),
  },
  {
    rule: 'ClusterUpdateBlocked',
    decision: 'warned',
    cluster: (n) => [limited(n), cluster(n, '4.15.3')],
    bad: (n) => update(cluster(n, '4.16.0')),
    good: (n) => update(cluster(n, '4.15.9')),
  },
];
