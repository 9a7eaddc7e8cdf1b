/** What the documents say of OLM's objects, each as one request to the gate. */
import type { JsonObject } from '../../src/text/documents/index.js';
import { aCsv, makeGroup, makeObject } from '../../src/olm/rules/objects/testing/harness.js';
import type { RuleRequest } from './olm-rule-rows.js';

interface DocumentedRow {
  readonly says: string;
  readonly rule: string;
  /** `silent`: it passes, and the rule says nothing. */
  readonly decision: 'denied' | 'warned' | 'silent';
  /** Each row has a namespace, and API groups, of its own. */
  readonly cluster?: (namespace: string) => JsonObject[];
  readonly ask: (namespace: string) => RuleRequest;
}

const create = (object: JsonObject): RuleRequest => ({ object });
const api = (namespace: string): string => `Cat.v1.${namespace}.io`;
const csv = (namespace: string, fields: Parameters<typeof aCsv>[0] = {}): JsonObject =>
  aCsv({ namespace, owns: [`cats.${namespace}.io`], ...fields });
const group = (namespace: string, fields: Parameters<typeof makeGroup>[0] = {}): JsonObject =>
  makeGroup({ namespace, spec: { targetNamespaces: [namespace] }, ...fields });
const fixed = (namespace: string): JsonObject => ({
  targetNamespaces: [namespace],
  staticProvidedAPIs: true,
});
/** Another group that provides the API to the same namespace. */
const rival = (namespace: string): JsonObject =>
  group(`${namespace}-b`, { spec: { targetNamespaces: [namespace] }, provides: api(namespace) });
const catalog = (
  namespace: string,
  state: string,
  spec: JsonObject = {},
  annotations: JsonObject = {},
): JsonObject => ({
  ...makeObject('CatalogSource', 'c', namespace, {
    spec: { sourceType: 'grpc', image: 'quay.io/a/b:1', ...spec },
    status: { connectionState: { lastObservedState: state } },
  }),
  metadata: { name: 'c', namespace, annotations },
});
const templated = (namespace: string, template: string, spec: JsonObject = {}): JsonObject =>
  catalog(namespace, 'READY', spec, { 'olm.catalogImageTemplate': template });
const subscription = (namespace: string, spec: JsonObject = {}): JsonObject =>
  makeObject('Subscription', 's', namespace, {
    spec: { name: 'cats', source: 'c', sourceNamespace: namespace, ...spec },
  });

const modes: readonly [mode: string, targets: (namespace: string) => string[]][] = [
  ['OwnNamespace', (n) => [n]],
  ['SingleNamespace', (n) => [`${n}-b`]],
  ['MultiNamespace', (n) => [`${n}-b`, 'elsewhere']],
  ['AllNamespaces', () => []],
];
const targeting = (targetNamespaces: string[]): JsonObject =>
  targetNamespaces.length === 0 ? {} : { targetNamespaces };
const groupOfMode = (namespace: string, mode: string): JsonObject => {
  const [, targets = () => []] = modes.find(([each]) => each === mode) ?? [];
  return group(namespace, { spec: targeting(targets(namespace)) });
};

export const documentedRows: readonly DocumentedRow[] = [
  ...['CONNECTING', 'TRANSIENT_FAILURE'].map((state): DocumentedRow => ({
    says: `a catalog that is ${state}`,
    rule: 'CatalogSourcesUnhealthy',
    decision: 'warned',
    cluster: (n) => [catalog(n, state)],
    ask: (n) => create(subscription(n)),
  })),
  {
    says: 'a catalog that is READY',
    rule: 'CatalogSourcesUnhealthy',
    decision: 'silent',
    cluster: (n) => [catalog(n, 'READY')],
    ask: (n) => create(subscription(n)),
  },
  {
    says: 'a template of the major and the minor version is resolved',
    rule: 'CatalogSourceImageTemplate',
    decision: 'silent',
    ask: (n) => create(templated(n, 'quay.io/a/b:v{kube_major_version}.{kube_minor_version}')),
  },
  {
    says: 'a template that cannot be resolved leaves spec.image',
    rule: 'CatalogSourceImageTemplate',
    decision: 'warned',
    ask: (n) => create(templated(n, 'quay.io/a/b:v{group:example.com,version:v1,kind:Cat}')),
  },
  {
    says: 'a template that cannot be resolved, and no spec.image',
    rule: 'CatalogSourceImageTemplate',
    decision: 'warned',
    ask: (n) => create(templated(n, 'quay.io/a/b:v{kube}', { image: '', address: 'c:50051' })),
  },
  {
    says: 'names of OpenShift’s versions are none of a template',
    rule: 'CatalogSourceImageTemplate',
    decision: 'warned',
    ask: (n) => create(templated(n, 'quay.io/a/b:v{ocp_major_version}.{ocp_minor_version}')),
  },
  {
    says: 'Automatic waits for nobody',
    rule: 'ManualApprovalSpreads',
    decision: 'silent',
    cluster: (n) => [group(n), subscription(n)],
    ask: (n) =>
      create({
        ...subscription(n, { name: 'dogs', installPlanApproval: 'Automatic' }),
        metadata: { name: 'dogs', namespace: n },
      }),
  },
  {
    says: 'an operator whose required API nobody provides',
    rule: 'ResolutionConflict',
    decision: 'warned',
    cluster: (n) => [
      group(n),
      subscription(n, {
        name: 'several-parts',
        channel: 'stable',
        source: 'community',
        sourceNamespace: 'olm',
      }),
    ],
    ask: (n) => ({
      object: subscription(n, {
        name: 'several-parts',
        channel: 'stable',
        source: 'community',
        sourceNamespace: 'olm',
      }),
      operation: 'UPDATE',
    }),
  },
  ...modes.flatMap(([mode]): DocumentedRow[] => [
    {
      says: `${mode} in a group of that mode`,
      rule: 'UnsupportedOperatorGroup',
      decision: 'silent',
      cluster: (n) => [groupOfMode(n, mode)],
      ask: (n) => create(csv(n, { modes: [mode] })),
    },
    {
      says: `every mode but ${mode} in a group of that mode`,
      rule: 'UnsupportedOperatorGroup',
      decision: 'denied',
      cluster: (n) => [groupOfMode(n, mode)],
      ask: (n) => {
        const others = modes.map(([each]) => each).filter((each) => each !== mode);
        return create(csv(n, { modes: others }));
      },
    },
  ]),
  {
    says: 'a mode that is left out is not supported',
    rule: 'UnsupportedOperatorGroup',
    decision: 'denied',
    cluster: (n) => [groupOfMode(n, 'SingleNamespace')],
    ask: (n) => create(csv(n, { modes: ['MultiNamespace'] })),
  },
  {
    says: 'targetNamespaces win over a selector',
    rule: 'SelectorIgnored',
    decision: 'warned',
    ask: (n) =>
      create(
        group(n, { spec: { targetNamespaces: [n], selector: { matchLabels: { cool: 'it' } } } }),
      ),
  },
  {
    says: 'a group that names nothing is global',
    rule: 'UnsupportedOperatorGroup',
    decision: 'denied',
    cluster: (n) => [group(n, { spec: {} })],
    ask: (n) => create(csv(n, { modes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace'] })),
  },
  {
    says: 'no intersection and a subset goes on',
    rule: 'InterOperatorGroupOwnerConflict',
    decision: 'silent',
    cluster: (n) => [group(n, { provides: api(n) })],
    ask: (n) => create(csv(n)),
  },
  {
    says: 'no intersection and no subset fails for a static group',
    rule: 'CannotModifyStaticOperatorGroupProvidedAPIs',
    decision: 'denied',
    cluster: (n) => [group(n, { spec: fixed(n), provides: `Dog.v1.${n}.io` })],
    ask: (n) => create(csv(n)),
  },
  {
    says: 'no intersection and no subset is added',
    rule: 'CannotModifyStaticOperatorGroupProvidedAPIs',
    decision: 'silent',
    cluster: (n) => [group(n, { provides: `Dog.v1.${n}.io` })],
    ask: (n) => create(csv(n)),
  },
  {
    says: 'an intersection and no subset is a conflict of owners',
    rule: 'InterOperatorGroupOwnerConflict',
    decision: 'denied',
    cluster: (n) => [group(n, { provides: `Dog.v1.${n}.io` }), rival(n)],
    ask: (n) => create(csv(n)),
  },
  {
    says: 'an intersection and a subset fails for a static group',
    rule: 'CannotModifyStaticOperatorGroupProvidedAPIs',
    decision: 'denied',
    cluster: (n) => [group(n, { spec: fixed(n), provides: api(n) }), rival(n)],
    ask: (n) => create(csv(n)),
  },
  {
    says: 'an intersection and a subset is taken away from the group, which fails the operator',
    rule: 'InterOperatorGroupOwnerConflict',
    decision: 'denied',
    cluster: (n) => [group(n, { provides: api(n) }), rival(n)],
    ask: (n) => create(csv(n)),
  },
  {
    says: 'the own namespace of another group counts whatever it targets',
    rule: 'InterOperatorGroupOwnerConflict',
    decision: 'denied',
    cluster: (n) => [
      group(n, { spec: { targetNamespaces: [`${n}-b`] } }),
      group(`${n}-b`, { spec: { targetNamespaces: ['elsewhere'] }, provides: api(n) }),
    ],
    ask: (n) => create(csv(n)),
  },
  {
    says: 'an operator without conditions is replaced',
    rule: 'OperatorConditionNotUpgradeable',
    decision: 'silent',
    cluster: (n) => [group(n), csv(n)],
    ask: (n) => create(csv(n, { name: 'cats.v2', spec: { replaces: 'cats.v1' } })),
  },
];
