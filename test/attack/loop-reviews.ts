/** Reviews that are worst for the event loop, each beside one of the same size that is only read. */
import type { JsonObject } from '../../src/text/documents/index.js';
import { definition, reviewText } from '../server/reviews.js';

const list = <Item>(count: number, of: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => of(index));
const pairs = (count: number): object =>
  Object.fromEntries(list(count, (index) => [`k${index}`, 'v']));
const owned = (count: number): object[] =>
  list(count, (index) => ({ name: `c${index}.example.com`, version: 'v1', kind: `C${index}` }));

function requirements(operator: string): object {
  const of = (index: number): object => ({ key: `k${index}`, operator, values: ['v'] });
  return { selector: { matchExpressions: list(60_000, of) } };
}

interface Shape {
  readonly kind: string;
  readonly spec: object;
  readonly status?: object;
}

const olm: [what: string, shape: Shape][] = [
  ['60,000 requirements of a selector', { kind: 'OperatorGroup', spec: requirements('In') }],
  ['60,000 refusals of a selector', { kind: 'OperatorGroup', spec: requirements('NotIn') }],
  [
    '150,000 labels of a selector',
    { kind: 'OperatorGroup', spec: { selector: { matchLabels: pairs(150_000) } } },
  ],
  [
    '200,000 values that are no labels',
    {
      kind: 'OperatorGroup',
      spec: {
        selector: {
          matchExpressions: [
            { key: 'a', operator: 'In', values: list(200_000, (index) => `!${index}`) },
          ],
        },
      },
    },
  ],
  [
    '200,000 target namespaces',
    {
      kind: 'OperatorGroup',
      spec: { targetNamespaces: list(200_000, (index) => `n${index}`) },
    },
  ],
  [
    '50,000 definitions that it owns and needs',
    {
      kind: 'ClusterServiceVersion',
      spec: {
        version: '1.0.0',
        installModes: [{ type: 'OwnNamespace', supported: true }],
        customresourcedefinitions: { owned: owned(25_000), required: owned(25_000) },
      },
    },
  ],
  [
    '90,000 variables',
    {
      kind: 'Subscription',
      spec: {
        ...{ name: 'p', channel: 'c', source: 's', sourceNamespace: 'ns' },
        config: { env: list(90_000, (index) => ({ name: `E${index}`, value: 'v' })) },
      },
    },
  ],
  [
    '40,000 tolerations and node labels',
    {
      kind: 'CatalogSource',
      spec: {
        ...{ sourceType: 'grpc', image: `x:${'{'.repeat(1_000_000)}` },
        grpcPodConfig: {
          tolerations: list(40_000, (index) => ({ key: `k${index}` })),
          nodeSelector: pairs(40_000),
        },
      },
    },
  ],
  [
    '4,000 ClusterServiceVersions',
    {
      kind: 'InstallPlan',
      spec: { approved: true, clusterServiceVersionNames: ['c'] },
      status: {
        plan: list(4000, (index) => {
          const object = {
            kind: 'ClusterServiceVersion',
            metadata: { name: `c${index}`, namespace: 'ns' },
            spec: { version: '1.0.0', customresourcedefinitions: { owned: owned(8) } },
          };
          const resource = {
            ...{ kind: object.kind, name: object.metadata.name },
            manifest: JSON.stringify(object),
          };
          return { resolving: 'operator.v1', status: 'Unknown', resource };
        }),
      },
    },
  ],
];

function reviewOf({ kind, spec, status = {} }: Shape, resource: string): string {
  const group = 'operators.coreos.com';
  const version = kind === 'OperatorGroup' ? 'v1' : 'v1alpha1';
  const metadata = { name: 'n', namespace: 'ns' };
  const object = { apiVersion: `${group}/${version}`, kind, metadata, spec, status };
  return reviewText({
    kind: { group, version, kind },
    resource: { group, version, resource },
    ...{ name: 'n', namespace: 'ns', operation: 'CREATE', oldObject: null },
    object: JSON.parse(JSON.stringify(object)) as JsonObject,
  });
}

function versions(count: number, fields: number): JsonObject {
  const entries = list(fields, (index) => [`f${index}`, { type: 'string' }]);
  const openAPIV3Schema = { type: 'object', properties: Object.fromEntries(entries) as JsonObject };
  const all = list(count, (index) => ({
    ...{ name: `v${index + 1}`, served: true, storage: index === 0 },
    schema: { openAPIV3Schema },
  }));
  return definition({ versions: all });
}

const manyVersions = { oldObject: versions(70, 50), object: versions(70, 49) };

/** A definition whose only version has these properties. */
function withProperties(properties: object, more: object = {}): JsonObject {
  const openAPIV3Schema = { type: 'object', properties: properties as JsonObject };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } };
  return { ...definition({ versions: [version] }), ...more };
}

/** An API server keeps no stored version that the definition does not have; who asks may be somebody else. */
const storedVersions = {
  oldObject: withProperties(
    {},
    { status: { storedVersions: list(16_000, (index) => `v${index}`) } },
  ),
  object: withProperties({}),
};
const enumeration = (first: number): object => ({
  mode: { type: 'string', enum: list(20_000, (index) => `value${first + index}`) },
});
const enumerations = {
  oldObject: withProperties(enumeration(0)),
  object: withProperties(enumeration(10_000)),
};

export const loopReviews: readonly (readonly [what: string, judged: string, onlyRead: string])[] = [
  ...olm.map(([what, shape]): [string, string, string] => {
    const judged = reviewOf(shape, `${shape.kind.toLowerCase()}s`);
    return [`${shape.kind} with ${what}`, judged, reviewOf(shape, 'others')];
  }),
  ...(
    [
      ['of 128 KiB with 70 versions', manyVersions],
      ['with 16,000 stored versions', storedVersions],
      ['with 20,000 listed values, half of them others', enumerations],
    ] as const
  ).map(([what, update]): [string, string, string] => {
    const resource = { group: 'example.com', version: 'v1', resource: 'others' };
    return [`definition ${what}`, reviewText(update), reviewText({ ...update, resource })];
  }),
];
