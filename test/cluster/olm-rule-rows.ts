/** For every rule about OLM's objects: a cluster, a request that it is about, and one that is fine. */
import { gzipSync } from 'node:zlib';
import type { JsonObject, JsonValue } from '../../src/text/documents/index.js';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';

export interface RuleRequest {
  readonly object: JsonObject;
  /** Without it CREATE; UPDATE and DELETE are about an object of the row's cluster. */
  readonly operation?: 'UPDATE' | 'DELETE';
}

export interface OlmRuleRow {
  readonly rule: string;
  /** `denied` refuses, `warned` lets pass with a warning. */
  readonly decision: 'denied' | 'warned';
  /** Each row has a namespace, and API groups, of its own. */
  readonly cluster?: (namespace: string) => JsonObject[];
  readonly bad: (namespace: string) => RuleRequest;
  readonly good: (namespace: string) => RuleRequest;
}

const group = (namespace: string, fields: Parameters<typeof makeGroup>[0] = {}): JsonObject =>
  makeGroup({ namespace, spec: { targetNamespaces: [namespace] }, ...fields });
const csv = (namespace: string, fields: Parameters<typeof aCsv>[0] = {}): JsonObject =>
  aCsv({ namespace, owns: [`cats.${namespace}.io`], ...fields });
const api = (namespace: string): string => `Cat.v1.${namespace}.io`;
const subscription = (namespace: string, name: string, spec: JsonObject = {}): JsonObject =>
  makeObject('Subscription', name, namespace, {
    spec: { name, source: 'c', sourceNamespace: namespace, ...spec },
  });
const catalog = (namespace: string, name: string, spec: JsonObject = {}, more: JsonObject = {}) =>
  makeObject('CatalogSource', name, namespace, {
    spec: { sourceType: 'grpc', image: 'quay.io/a/b:1', ...spec },
    ...more,
  });
const ready = { status: { connectionState: { lastObservedState: 'READY' } } };
const plan = (
  namespace: string,
  name: string,
  manifest?: JsonObject,
  approved = true,
): JsonObject =>
  makeObject('InstallPlan', name, namespace, {
    spec: { approved, approval: 'Manual', clusterServiceVersionNames: [] },
    status: { plan: manifest === undefined ? [] : stepsOf(manifest) },
  });
/** A bundle that was unpacked is referred to; its ClusterServiceVersion is in a ConfigMap. */
const reference = (namespace: string): JsonObject => ({
  kind: 'ConfigMap',
  name: 'unpacked',
  namespace,
  catalogSourceName: 'c',
  catalogSourceNamespace: namespace,
});
/** Kilobytes that unpack to 17 MiB. */
const aBomb = gzipSync('- a\n'.repeat(17 << 18)).toString('base64');
const unpacked = (namespace: string, binaryData: JsonObject): JsonObject => ({
  ...makeObject('ConfigMap', 'unpacked', namespace, { binaryData }),
});
export function stepsOf(manifest: JsonObject): JsonObject[] {
  const isReference = manifest['kind'] === 'ConfigMap';
  const [kind, name]: readonly [JsonValue, JsonValue] = isReference
    ? ['ClusterServiceVersion', 'cats.v1']
    : [manifest['kind'] as JsonValue, (manifest['metadata'] as { name: string }).name];
  return [{ status: 'Unknown', resource: { kind, name, manifest: JSON.stringify(manifest) } }];
}
const create = (object: JsonObject): RuleRequest => ({ object });
const update = (object: JsonObject): RuleRequest => ({ object, operation: 'UPDATE' });
const own = [{ type: 'OwnNamespace', supported: true }];
const rival = (n: string): JsonObject =>
  makeGroup({
    name: 'rival',
    namespace: `${n}-rival`,
    spec: { targetNamespaces: [n] },
    provides: api(n),
  });
const hook = (apiGroups: string[]): JsonObject => ({
  generateName: 'hook.example.com',
  type: 'ValidatingAdmissionWebhook',
  rules: [{ apiGroups, resources: ['cats'] }],
});
const conversion = (n: string): JsonObject => ({
  generateName: 'c',
  type: 'ConversionWebhook',
  conversionCRDs: [`cats.${n}.io`],
});
export const definition = (n: string, properties: string[]): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `cats.${n}.io` },
  spec: {
    group: `${n}.io`,
    scope: 'Namespaced',
    names: { kind: 'Cat', plural: 'cats', singular: 'cat', listKind: 'CatList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: Object.fromEntries(
                  properties.map((name) => [name, { type: 'string' }]),
                ),
              },
            },
          },
        },
      },
    ],
  },
});

const limit = (value: string): JsonObject => ({
  annotations: { 'olm.properties': `[{"type":"olm.maxOpenShiftVersion","value":${value}}]` },
});

const needing = (key: string): JsonObject => ({
  annotations: {
    'operatorframework.io/properties': `{"properties":[{"type":"olm.constraint","value":{"failureMessage":"m","package":{"${key}":"dogs","versionRange":">=1.0.0"}}}]}`,
  },
});

export const olmRuleRows: readonly OlmRuleRow[] = [
  {
    rule: 'OperatorGroupTargets',
    decision: 'denied',
    bad: (n) => create(group(n, { spec: { targetNamespaces: [n, ''] } })),
    good: (n) => create(group(n)),
  },
  {
    rule: 'OperatorGroupIntersection',
    decision: 'denied',
    cluster: (n) => [rival(n), csv(n)],
    bad: (n) => create(group(n)),
    good: (n) =>
      create(group(n, { spec: { targetNamespaces: ['elsewhere'] }, namespace: `${n}-b` })),
  },
  {
    rule: 'UnsupportedMembers',
    decision: 'denied',
    cluster: (n) => [group(n), csv(n, { modes: ['OwnNamespace'] })],
    bad: (n) => update(group(n, { spec: { targetNamespaces: ['elsewhere'] } })),
    good: (n) => update(group(n, { spec: { targetNamespaces: [n], a: 1 } })),
  },
  {
    rule: 'StaticProvidedAPIs',
    decision: 'denied',
    cluster: (n) => [group(n), csv(n)],
    bad: (n) => update(group(n, { spec: { targetNamespaces: [n], staticProvidedAPIs: true } })),
    good: (n) =>
      update(
        group(n, {
          spec: { targetNamespaces: [n], staticProvidedAPIs: true },
          provides: api(n),
        }),
      ),
  },
  {
    rule: 'MultipleOperatorGroups',
    decision: 'warned',
    cluster: (n) => [group(n)],
    bad: (n) => create(group(n, { name: 'second' })),
    good: (n) => create(group(`${n}-b`)),
  },
  {
    rule: 'SelectorSelectsAll',
    decision: 'warned',
    bad: (n) => create(group(n, { spec: { selector: {} } })),
    good: (n) => create(group(n, { spec: {} })),
  },
  {
    rule: 'SelectorIgnored',
    decision: 'warned',
    bad: (n) =>
      create(group(n, { spec: { targetNamespaces: [n], selector: { matchLabels: { a: 'b' } } } })),
    good: (n) => create(group(n)),
  },
  {
    rule: 'SelectorMatchesNothing',
    decision: 'warned',
    bad: (n) => create(group(n, { spec: { selector: { matchLabels: { team: 'nobody' } } } })),
    good: (n) =>
      create(
        group(n, { spec: { selector: { matchLabels: { 'kubernetes.io/metadata.name': n } } } }),
      ),
  },
  {
    rule: 'TargetNamespaceMissing',
    decision: 'warned',
    bad: (n) => create(group(n, { spec: { targetNamespaces: ['no-such-namespace'] } })),
    good: (n) => create(group(n)),
  },
  {
    rule: 'UnreadableProvidedAPIs',
    decision: 'warned',
    bad: (n) => create(group(n, { provides: 'Cat.v1' })),
    good: (n) => create(group(n, { provides: api(n) })),
  },
  {
    rule: 'StaticProtectionLost',
    decision: 'warned',
    cluster: (n) => [
      group(n, { spec: { targetNamespaces: [n], staticProvidedAPIs: true }, provides: api(n) }),
    ],
    bad: (n) => update(group(n, { provides: api(n) })),
    good: (n) =>
      update(
        group(n, {
          spec: { targetNamespaces: [n], staticProvidedAPIs: true },
          provides: `${api(n)},Dog.v1.${n}.io`,
        }),
      ),
  },
  {
    rule: 'ServiceAccountNotFound',
    decision: 'warned',
    cluster: (n) => [makeObject('ServiceAccount', 'installer', n)],
    bad: (n) =>
      create(group(n, { spec: { targetNamespaces: [n], serviceAccountName: 'missing' } })),
    good: (n) =>
      create(group(n, { spec: { targetNamespaces: [n], serviceAccountName: 'installer' } })),
  },
  {
    rule: 'UnreadableOpenShiftLimit',
    decision: 'warned',
    cluster: (n) => [group(n)],
    bad: (n) => create(csv(n, { metadata: limit('"4.18.1"') })),
    good: (n) => create(csv(n, { name: 'dogs.v1', metadata: limit('"4.18"') })),
  },
  {
    rule: 'InstalledConstraints',
    decision: 'warned',
    cluster: (n) => [group(n)],
    bad: (n) => create(csv(n, { metadata: needing('name') })),
    good: (n) => create(csv(n, { name: 'dogs.v1', metadata: needing('packageName') })),
  },
  {
    rule: 'RemovedApiPermissions',
    decision: 'warned',
    cluster: (n) => [group(n)],
    bad: (n) => create(csv(n, { spec: asking('extensions') })),
    good: (n) => create(csv(n, { name: 'dogs.v1', spec: asking('networking.k8s.io') })),
  },
  {
    rule: 'MisspeltProvidedAPIs',
    decision: 'warned',
    bad: (n) =>
      create({
        ...group(n),
        metadata: { name: 'g', namespace: n, annotations: { 'olm.providedapis': api(n) } },
      }),
    good: (n) => create(group(n, { name: 'other', provides: api(n) })),
  },
  {
    rule: 'SeveralTargetNamespaces',
    decision: 'warned',
    bad: (n) => create(group(n, { name: 'several', spec: { targetNamespaces: [n, `${n}-b`] } })),
    good: (n) => create(group(n, { name: 'one' })),
  },
  {
    rule: 'OperatorGroupNameTaken',
    decision: 'warned',
    cluster: (n) => [group(`${n}-b`, { name: `${n}-taken` })],
    bad: (n) => create(group(n, { name: `${n}-taken` })),
    good: (n) => create(group(n, { name: `${n}-free` })),
  },
  {
    rule: 'GroupRoleCollision',
    decision: 'warned',
    bad: (n) => create(group(n, { name: 'cluster' })),
    good: (n) => create(group(n)),
    cluster: () => [makeObject('ClusterRole', 'cluster-edit', '', { rules: [] })],
  },
  {
    rule: 'OperatorGroupInUse',
    decision: 'warned',
    cluster: (n) => [group(n), csv(n), group(`${n}-b`)],
    bad: (n) => ({ object: group(n), operation: 'DELETE' }),
    good: (n) => ({ object: group(`${n}-b`), operation: 'DELETE' }),
  },
  {
    rule: 'NoOperatorGroup',
    decision: 'warned',
    cluster: (n) => [group(`${n}-b`)],
    bad: (n) => create(csv(n)),
    good: (n) => create(csv(`${n}-b`)),
  },
  {
    rule: 'TooManyOperatorGroups',
    decision: 'denied',
    cluster: (n) => [group(n), group(n, { name: 'second' }), group(`${n}-b`)],
    bad: (n) => create(csv(n)),
    good: (n) => create(csv(`${n}-b`)),
  },
  {
    rule: 'NoTargetNamespaces',
    decision: 'warned',
    cluster: (n) => [
      group(n, { spec: { selector: { matchLabels: { team: 'nobody' } } }, status: [] }),
      group(`${n}-b`),
    ],
    bad: (n) => create(csv(n)),
    good: (n) => create(csv(`${n}-b`)),
  },
  {
    rule: 'InvalidInstallModes',
    decision: 'denied',
    cluster: (n) => [group(n)],
    bad: (n) => create(csv(n, { spec: { installModes: [...own, ...own] } })),
    good: (n) => create(csv(n)),
  },
  {
    rule: 'UnsupportedOperatorGroup',
    decision: 'denied',
    cluster: (n) => [group(n)],
    bad: (n) => create(csv(n, { modes: ['AllNamespaces'] })),
    good: (n) => create(csv(n, { modes: ['OwnNamespace'] })),
  },
  {
    rule: 'CannotModifyStaticOperatorGroupProvidedAPIs',
    decision: 'denied',
    cluster: (n) => [
      group(n, { spec: { targetNamespaces: [n], staticProvidedAPIs: true }, provides: api(n) }),
    ],
    bad: (n) => create(csv(n, { owns: [`dogs.${n}.io`] })),
    good: (n) => create(csv(n)),
  },
  {
    rule: 'InterOperatorGroupOwnerConflict',
    decision: 'denied',
    cluster: (n) => [group(n), rival(n)],
    bad: (n) => create(csv(n)),
    good: (n) => create(csv(n, { owns: [`dogs.${n}.io`] })),
  },
  {
    rule: 'OperatorConditionNotUpgradeable',
    decision: 'warned',
    cluster: (n) => [
      group(n),
      csv(n),
      makeObject('OperatorCondition', 'cats.v1', n, {
        spec: { overrides: [{ type: 'Upgradeable', status: 'False', message: 'migrating' }] },
      }),
    ],
    bad: (n) => create(csv(n, { name: 'cats.v2', spec: { replaces: 'cats.v1' } })),
    good: (n) =>
      create(csv(n, { name: 'dogs.v2', owns: [`dogs.${n}.io`], spec: { replaces: 'dogs.v1' } })),
  },
  {
    rule: 'RequirementsNotMet',
    decision: 'warned',
    cluster: (n) => [group(n), definition(n, ['a'])],
    bad: (n) => create(csv(n, { owns: [`missing.${n}.io`] })),
    good: (n) => create(csv(n)),
  },
  {
    rule: 'InvalidWebhookDescription',
    decision: 'denied',
    cluster: (n) => [group(n)],
    bad: (n) => create(csv(n, { spec: { webhookdefinitions: [hook(['*'])] } })),
    good: (n) => create(csv(n, { spec: { webhookdefinitions: [hook(['pets'])] } })),
  },
  {
    rule: 'ConversionWebhook',
    decision: 'denied',
    cluster: (n) => [group(n, { spec: {} })],
    bad: (n) => create(csv(n, { spec: { webhookdefinitions: [conversion(n)] } })),
    good: (n) =>
      create(csv(n, { modes: ['AllNamespaces'], spec: { webhookdefinitions: [conversion(n)] } })),
  },
  {
    rule: 'OwnerConflict',
    decision: 'denied',
    cluster: (n) => [group(n), csv(n)],
    bad: (n) => create(csv(n, { name: 'stranger' })),
    good: (n) => create(csv(n, { name: 'cats.v2', spec: { replaces: 'cats.v1' } })),
  },
  {
    rule: 'SharedCRDVersions',
    decision: 'warned',
    cluster: (n) => [
      group(n),
      csv(`${n}-b`, { owns: [`cats.${n}.io`], spec: { version: '1.0.0' } }),
    ],
    bad: (n) => create(csv(n, { spec: { version: '2.0.0' } })),
    good: (n) => create(csv(n, { spec: { version: '1.0.0' } })),
  },
  {
    rule: 'CatalogSourcesUnhealthy',
    decision: 'warned',
    cluster: (n) => [
      catalog(n, 'c', {}, { status: { connectionState: { lastObservedState: 'CONNECTING' } } }),
      catalog(`${n}-b`, 'c', {}, ready),
    ],
    bad: (n) => create(subscription(n, 's')),
    good: (n) => create(subscription(`${n}-b`, 's')),
  },
  {
    rule: 'CatalogSourceMissing',
    decision: 'warned',
    cluster: (n) => [catalog(n, 'c', {}, ready)],
    bad: (n) => create(subscription(n, 's', { source: 'missing' })),
    good: (n) => create(subscription(n, 's')),
  },
  {
    rule: 'SubscriptionOperatorGroup',
    decision: 'warned',
    cluster: (n) => [group(`${n}-b`)],
    bad: (n) => create(subscription(n, 's')),
    good: (n) => create(subscription(`${n}-b`, 's')),
  },
  {
    rule: 'DuplicateSubscription',
    decision: 'warned',
    cluster: (n) => [group(n), subscription(n, 'cats')],
    bad: (n) => create(subscription(n, 'again', { name: 'cats' })),
    good: (n) => create(subscription(n, 'dogs')),
  },
  {
    rule: 'SubscriptionUnownedOperator',
    decision: 'warned',
    cluster: (n) => [
      group(n),
      csv(n, {
        metadata: {
          annotations: {
            'operatorframework.io/properties':
              '{"properties":[{"type":"olm.package","value":{"packageName":"cats","version":"1.0.0"}}]}',
          },
        },
      }),
    ],
    bad: (n) => create(subscription(n, 'cats')),
    good: (n) => create(subscription(n, 'dogs')),
  },
  {
    rule: 'ManualApprovalSpreads',
    decision: 'warned',
    cluster: (n) => [group(n), subscription(n, 'cats')],
    bad: (n) => create(subscription(n, 'dogs', { installPlanApproval: 'Manual' })),
    good: (n) => create(subscription(n, 'dogs', { installPlanApproval: 'Automatic' })),
  },
  {
    rule: 'InstallPlanOperatorGroup',
    decision: 'denied',
    cluster: (n) => [
      group(n),
      group(n, { name: 'second' }),
      plan(n, 'p', undefined, false),
      group(`${n}-b`),
      plan(`${n}-b`, 'p', undefined, false),
    ],
    bad: (n) => update(plan(n, 'p')),
    good: (n) => update(plan(`${n}-b`, 'p')),
  },
  {
    rule: 'InstallPlanCRDSafety',
    decision: 'denied',
    cluster: (n) => [
      group(n),
      definition(n, ['a', 'b']),
      plan(n, 'bad', definition(n, ['a']), false),
      plan(n, 'good', definition(n, ['a', 'b', 'c']), false),
    ],
    bad: (n) => update(plan(n, 'bad')),
    good: (n) => update(plan(n, 'good')),
  },
  {
    rule: 'InstallPlanCSV',
    decision: 'denied',
    cluster: (n) => [
      group(n),
      plan(n, 'bad', csv(n, { modes: ['AllNamespaces'] }), false),
      plan(n, 'good', csv(n, { modes: ['OwnNamespace'] }), false),
    ],
    bad: (n) => update(plan(n, 'bad')),
    good: (n) => update(plan(n, 'good')),
  },
  {
    rule: 'InstallPlanUnchecked',
    decision: 'warned',
    cluster: (n) => [group(n), plan(n, 'bad', reference(n), false), plan(n, 'good', csv(n), false)],
    bad: (n) => update(plan(n, 'bad')),
    good: (n) => update(plan(n, 'good')),
  },
  {
    rule: 'InstallPlanBundleTooLarge',
    decision: 'denied',
    cluster: (n) => [
      group(n),
      unpacked(n, { 'csv.yaml': aBomb }),
      plan(n, 'bad', reference(n), false),
      plan(n, 'good', csv(n), false),
    ],
    bad: (n) => update(plan(n, 'bad', reference(n))),
    good: (n) => update(plan(n, 'good', csv(n))),
  },
  {
    rule: 'CatalogSourceSpecInvalid',
    decision: 'denied',
    bad: (n) => create(catalog(n, 'c', { image: '' })),
    good: (n) => create(catalog(n, 'c')),
  },
  {
    rule: 'CatalogSourceRegistryPoll',
    decision: 'denied',
    bad: (n) => create(catalog(n, 'c', { updateStrategy: {} })),
    good: (n) => create(catalog(n, 'c', { updateStrategy: { registryPoll: { interval: '10m' } } })),
  },
  {
    rule: 'CatalogSourceImageTemplate',
    decision: 'warned',
    bad: (n) => create(templated(n, 'quay.io/a/b:v{foo}')),
    good: (n) => create(templated(n, 'quay.io/a/b:v{kube_major_version}.{kube_minor_version}')),
  },
  {
    rule: 'CatalogSourceSecurityContext',
    decision: 'warned',
    bad: (n) => create(catalog(n, 'c', { grpcPodConfig: { securityContextConfig: 'loose' } })),
    good: (n) =>
      create(catalog(n, 'c', { grpcPodConfig: { securityContextConfig: 'restricted' } })),
  },
  {
    rule: 'CatalogSourcePod',
    decision: 'warned',
    bad: (n) => create(catalog(n, 'c', { grpcPodConfig: { priorityClassName: 'urgent' } })),
    good: (n) =>
      create(catalog(n, 'c', { grpcPodConfig: { priorityClassName: 'system-node-critical' } })),
  },
  {
    rule: 'CatalogSourcePriority',
    decision: 'warned',
    cluster: (n) => [catalog(n, 'first', { priority: 5 })],
    bad: (n) => create(catalog(n, 'c', { priority: 5 })),
    good: (n) => create(catalog(n, 'c', { priority: 6 })),
  },
];

function templated(n: string, template: string): JsonObject {
  const object = catalog(n, 'c');
  const metadata = {
    name: 'c',
    namespace: n,
    annotations: { 'olm.catalogImageTemplate': template },
  };
  return { ...object, metadata };
}

function asking(group: string): JsonObject {
  const rules = [{ apiGroups: [group], resources: ['ingresses'], verbs: ['get'] }];
  const clusterPermissions = [{ serviceAccountName: 'pets', rules }];
  return { install: { strategy: 'deployment', spec: { clusterPermissions } } };
}
