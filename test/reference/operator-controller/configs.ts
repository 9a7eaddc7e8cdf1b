/**
 * Writes bundles of every combination of install modes, each with configurations that are right and
 * wrong for it, to standard output, as JSON lines `{id, input}`. `npm run reference -- olm-v1-configs
 * --write` gives them their answers.
 */
const modes = ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'];
const text = 'a'.repeat(64);

const configs: readonly unknown[] = [
  {},
  ...['ops', 'other', null, 5, '', 'A_b', text, `${text}_`, ['a'], true, { a: 1 }, 'é'].map(
    (watchNamespace) => ({ watchNamespace }),
  ),
  { x: 1 },
  { x: 1, watchNamespace: 5 },
  ...[
    ...[{}, null, [], 'text', { selector: {} }, { q: 1 }],
    ...[{ tolerations: 'x' }, { env: {} }, { env: {}, q: 1 }, { affinity: [] }, { volumes: null }],
    ...[{ nodeSelector: { a: 1 } }, { annotations: { a: null } }, { annotations: { a: 'b' } }],
    ...[{ resources: { limits: { cpu: 1 } } }, { env: [{ name: 'A', value: 'b' }] }],
  ].map((deploymentConfig) => ({ deploymentConfig })),
];

let count = 0;
for (let chosen = 0; chosen < 2 ** modes.length; chosen++) {
  const installModes = modes.map((type, index) => ({
    type,
    supported: (chosen & (2 ** index)) !== 0,
  }));
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: 'cats.v1.0.0' },
    spec: { version: '1.0.0', installModes },
  };
  const annotations = { 'operators.operatorframework.io.bundle.package.v1': 'cats' };
  const files = {
    'metadata/annotations.yaml': JSON.stringify({ annotations }),
    'manifests/csv.yaml': JSON.stringify(csv),
  };
  for (const config of configs) {
    const id = `bundle-config-olm-v1-${String(++count).padStart(4, '0')}`;
    const input = { files, extension: { namespace: 'ops', config } };
    console.log(JSON.stringify({ id, operation: 'bundle', input }));
  }
}
