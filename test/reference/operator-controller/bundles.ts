/**
 * Writes bundles of registry+v1 to standard output, as JSON lines `{id, input}`: each has at most a few
 * of the mistakes that OLM v1 refuses. `npm run reference -- olm-v1-bundles --write` gives them their
 * answers.
 */
import fc from 'fast-check';

const crdNames = fc.constantFrom('cats.example.com', 'dogs.example.com', 'birds.example.com');
const dnsName = fc.constantFrom('cats', 'dogs.example.com', 'cats', 'birds');
const anyName = fc.oneof(
  { weight: 5, arbitrary: dnsName },
  fc.constantFrom('Cats', '', 'a_b', '-a', 'é', 'a'.repeat(254), 'A'.repeat(300)),
);
const modes = fc.oneof(
  { weight: 3, arbitrary: fc.constant<string[]>(['AllNamespaces']) },
  fc.subarray<string>(['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces']),
);
const groups = fc.subarray(['', 'apps', '*', 'olm.operatorframework.io', 'operators.coreos.com']);
const guarded = fc.constantFrom(
  ...['*', 'pods', 'ValidatingWebhookConfigurations', 'mutatingwebhookconfiguration'],
  ...['validatingadmissionpolicies', 'MutatingWebhookConfiguration/status'],
);
const rule = fc.oneof(
  fc.record({ apiGroups: groups, resources: fc.array(guarded, { maxLength: 2 }) }),
  fc.record({
    apiGroups: fc.constant(['admissionregistration.k8s.io']),
    resources: fc.array(guarded, { maxLength: 3 }),
  }),
);
const webhook = fc.record({
  type: fc.constantFrom(
    ...['ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook', 'ConversionWebhook'],
  ),
  generateName: anyName,
  deploymentName: fc.constantFrom('cats', 'cats', 'dogs', 'lost'),
  conversionCRDs: fc.array(crdNames, { maxLength: 2 }),
  rules: fc.array(rule, { maxLength: 2 }),
});
const definition = fc.record({
  apiVersion: fc.constantFrom(
    ...['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1'],
  ),
  name: crdNames,
  preserveUnknownFields: fc.constantFrom(undefined, undefined, true, false),
});
const other = fc.record({
  kind: fc.constantFrom(
    ...['ConfigMap', 'Service', 'NetworkPolicy', 'ConsolePlugin', 'PriorityClass', 'PodMonitor'],
    ...['Deployment', 'Pod', 'Ingress', 'VerticalPodAutoscaler', 'StorageClass', 'CustomThing'],
  ),
  name: fc.constantFrom('one', 'two "quoted"'),
});
/** Half of the time there is nothing to be wrong. */
function sometimes<Value>(some: fc.Arbitrary<Value>, none: Value): fc.Arbitrary<Value> {
  return fc.oneof(fc.constant(none), some);
}

const operator = fc.record({
  packageName: fc.constantFrom('cats', 'cats', 'cats', ''),
  modes,
  deployments: fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>(['cats']) },
    fc.array(anyName, { maxLength: 4 }),
  ),
  webhooks: sometimes(fc.array(webhook, { maxLength: 4 }), []),
  owned: sometimes(fc.array(crdNames, { maxLength: 3 }), []),
  definitions: fc.array(definition, { maxLength: 3 }),
  others: fc.array(other, { maxLength: 3 }),
  apiServices: fc.constantFrom(...Array<string[]>(15).fill([]), ['v1.a.example']),
  isListed: fc.boolean(),
  subfolder: fc.constantFrom(...Array<boolean>(15).fill(false), true),
});

type Operator = typeof operator extends fc.Arbitrary<infer Value> ? Value : never;

function definitionOf({
  apiVersion,
  name,
  preserveUnknownFields,
}: Operator['definitions'][number]) {
  const [plural = '', ...group] = name.split('.');
  return {
    apiVersion,
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: {
      group: group.join('.'),
      scope: 'Namespaced',
      names: { kind: plural, plural },
      preserveUnknownFields,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object' } },
        },
      ],
    },
  };
}

function filesOf(made: Operator): Record<string, string> {
  const { packageName, owned, webhooks, deployments, definitions, others } = made;
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: 'cats.v1.0.0' },
    spec: {
      version: '1.0.0',
      installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map(
        (type) => ({ type, supported: made.modes.includes(type) }),
      ),
      customresourcedefinitions: {
        owned: owned.map((name) => ({ name, version: 'v1', kind: name.split('.')[0] })),
      },
      apiservicedefinitions: {
        owned: made.apiServices.map((name) => ({ name, group: 'a', version: 'v1', kind: 'A' })),
      },
      install: {
        strategy: 'deployment',
        spec: { deployments: deployments.map((name) => ({ name, spec: {} })) },
      },
      webhookdefinitions: webhooks,
    },
  };
  const objects = [
    ...definitions.map(definitionOf),
    ...others.map(({ kind, name }) => ({ apiVersion: 'v1', kind, metadata: { name } })),
  ];
  const prefix = 'operators.operatorframework.io.bundle';
  const files: Record<string, unknown> = {
    'metadata/annotations.yaml': {
      annotations: {
        [`${prefix}.mediatype.v1`]: 'registry+v1',
        [`${prefix}.package.v1`]: packageName,
      },
    },
    'manifests/csv.yaml': csv,
    'tests/scorecard/config.yaml': { kind: 'Configuration', apiVersion: 'scorecard/v1alpha3' },
  };
  if (made.isListed) {
    files['manifests/list.yaml'] = { apiVersion: 'v1', kind: 'List', items: objects };
  } else {
    for (const [index, object] of objects.entries()) files[`manifests/o${index}.yaml`] = object;
  }
  if (made.subfolder) files['manifests/more/one.yaml'] = { apiVersion: 'v1', kind: 'ConfigMap' };
  return Object.fromEntries(
    Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)]),
  );
}

const [count = '400', seed = '1'] = process.argv.slice(2);
for (const [index, made] of fc
  .sample(operator, { numRuns: Number(count), seed: Number(seed) })
  .entries()) {
  const id = `bundle-olm-v1-${String(index + 1).padStart(4, '0')}`;
  console.log(JSON.stringify({ id, operation: 'bundle', input: { files: filesOf(made) } }));
}
