/**
 * Writes bundles of every combination of install modes, each with configurations that are right and
 * wrong for it, to standard output, as JSON lines `{id, input}`. `npm run reference -- olm-v1-bundles
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

/** One or two mistakes in a place each: the order of several fields of one object is the reference's own, and random. */
const insides: readonly unknown[] = [
  ...[{ name: 'A' }, {}, { name: 5 }, { value: 5 }, 'A', null, ['A'], { name: 'A', more: 1 }].map(
    (variable) => ({ env: [variable] }),
  ),
  { env: [{}, { name: 5 }, { name: 'A' }] },
  ...['Always', { secretKeyRef: 5 }, { secretKeyRef: {} }, { secretKeyRef: { key: 'k' } }].map(
    (valueFrom) => ({ env: [{ name: 'A', valueFrom }] }),
  ),
  { env: [{ value: 5, valueFrom: { secretKeyRef: {} } }] },
  { env: [{ value: 5 }] },
  { envFrom: [{ configMapRef: { name: 'a', optional: 'yes' } }, { prefix: 1 }] },
  ...[{ cpu: '1' }, { cpu: 1 }, { cpu: 0.5 }, { cpu: true }, { cpu: null }, { cpu: [] }, 'all'].map(
    (limits) => ({ resources: { limits } }),
  ),
  { resources: { limits: { cpu: true, memory: true } } },
  { resources: { claims: [{}] } },
  ...[300, 300.5, '300', 1e3, null].map((tolerationSeconds) => ({
    tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds }],
  })),
  { tolerations: [{ operator: 'Sometimes', effect: 7 }] },
  { volumeMounts: [{ name: 'a' }, { mountPath: '/a' }, {}] },
  { volumeMounts: [{ name: 'a', mountPath: '/a', readOnly: 'no' }] },
  ...[{}, { name: 'a' }, { name: 'a', emptyDir: 'x' }, { name: 'a', secret: { items: [{}] } }].map(
    (volume) => ({ volumes: [volume] }),
  ),
  { volumes: [{ name: 'a', emptyDir: { sizeLimit: true } }] },
  { volumes: [{ name: 'a', configMap: { name: 'a', defaultMode: 4.2 } }] },
  { volumes: [{ name: 'a', downwardAPI: { items: [{ fieldRef: {} }] } }] },
  { volumes: [{ name: 'a', projected: { sources: [{ serviceAccountToken: {} }, 'b'] } }] },
  { volumes: [{ name: 'a', csi: {} }] },
  { volumes: [{ name: 'a', ephemeral: { volumeClaimTemplate: { spec: { accessModes: 'b' } } } }] },
  { affinity: { nodeAffinity: [] } },
  { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: {} } } },
  { affinity: { nodeAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{}] } } },
  { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{}] } } },
  { affinity: { podAntiAffinity: 'near', unknown: true } },
  ...['abc', '1x', '', ' 1Gi ', '1..0', '1Q', '1e3', '.'].map((cpu) => ({
    resources: { limits: { cpu } },
  })),
  { resources: { limits: { cpu: 'x' }, claims: [{}] } },
  { tolerations: [{ tolerationSeconds: 1e20 }, { tolerationSeconds: -1e21 }] },
  { volumes: [{ name: 'a', configMap: { defaultMode: 3_000_000_000 } }] },
  { volumes: [{ name: 'a', emptyDir: { sizeLimit: '1Q' }, hostPath: { path: '/a' } }] },
  { env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'r', divisor: 'q' } } }] },
  {
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1e10, preference: {} }],
      },
    },
  },
  { annotations: { 'example.com/a': 1 } },
  { nodeSelector: { 'example.com/a~b': true } },
];

type Files = Readonly<Record<string, string>>;

/** The files of a bundle that supports these install modes. */
function filesOf(isSupported: (mode: string, index: number) => boolean): Files {
  const installModes = modes.map((type, index) => ({ type, supported: isSupported(type, index) }));
  const csv = {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: 'cats.v1.0.0' },
    spec: { version: '1.0.0', installModes },
  };
  const annotations = { 'operators.operatorframework.io.bundle.package.v1': 'cats' };
  return {
    'metadata/annotations.yaml': JSON.stringify({ annotations }),
    'manifests/csv.yaml': JSON.stringify(csv),
  };
}

let count = 0;
function write(files: Files, config: unknown): void {
  const id = `bundle-config-olm-v1-${String(++count).padStart(4, '0')}`;
  const input = { files, extension: { namespace: 'ops', config } };
  console.log(JSON.stringify({ id, operation: 'bundle', input }));
}

for (let chosen = 0; chosen < 2 ** modes.length; chosen++) {
  const files = filesOf((_, index) => (chosen & (2 ** index)) !== 0);
  for (const config of configs) write(files, config);
}
const everywhere = filesOf((mode) => mode === 'AllNamespaces');
for (const deploymentConfig of insides) write(everywhere, { deploymentConfig });
