/**
 * The templates of the Helm chart, made of manifests/: what the chart can be told to do otherwise is
 * put in place of the text there. A text that is not found as often as expected is an error.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { publishedPolicySchema } from './policy-schema.js';

const root = join(import.meta.dirname, '..');
const manifest = (path: string): string =>
  readFileSync(join(root, 'manifests', path), 'utf8').trimEnd();

const note = '{{- /* Made of manifests/ by "npm run docs". */ -}}\n';
const namespace = '{{ .Release.Namespace }}';

/** @throws Error when `from` is not there exactly so many times */
function put(text: string, from: string, to: string, times = 1): string {
  const parts = text.split(from);
  if (parts.length - 1 !== times) {
    throw new Error(`${JSON.stringify(from)} is there ${parts.length - 1} times, not ${times}`);
  }
  return parts.join(to);
}

function when(condition: string, text: string, otherwise?: string): string {
  const rest = otherwise === undefined ? '' : `{{- else }}\n${otherwise}\n`;
  return `{{- if ${condition} }}\n${text}\n${rest}{{- end }}`;
}

const indent = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? line : `${' '.repeat(width)}${line}`))
    .join('\n');

/** In the namespace of the release, and labelled as everything of it. */
function placed(text: string): string {
  const there = text
    .replaceAll(/(?<=^ +namespace: )olm-guard$/gm, namespace)
    .replaceAll(/(?<=values: \[)olm-guard(?=\])/g, namespace);
  return there.replaceAll(
    /^metadata:\n {2}name: .*\n(?: {2}namespace: .*\n?)?/gm,
    (head) => `${head.trimEnd()}\n  labels:\n    {{- include "olm-guard.labels" . | nindent 4 }}\n`,
  );
}

const template = (text: string): string => `${note}${text.trimEnd()}\n`;
const enforcing = '.Values.enforcing';
const openshift = '.Values.openshift';
const isCertManager = 'eq .Values.certificates "cert-manager"';
const isSelfManaged = 'eq .Values.certificates "self-managed"';
const isAuthorized = 'eq .Values.metricsAccess "authorized"';
const isTold = '.Values.events';
const asksConverters = '.Values.conversion';
const isServiceCa = 'eq .Values.certificates "openshift"';

function deployment(): string {
  let text = placed(manifest('base/deployment.yaml'));
  text = put(text, 'replicas: 2', 'replicas: {{ .Values.replicas }}');
  text = put(
    text,
    'image: olm-guard:0.1.0',
    'image: {{ include "olm-guard.image" . | quote }}\n          {{- with .Values.image.pullPolicy }}\n          imagePullPolicy: {{ . }}\n          {{- end }}',
  );
  const user = ['runAsUser', 'runAsGroup', 'fsGroup'].map((each) => `        ${each}: 65532`);
  text = put(text, user.join('\n'), when(`not ${openshift}`, user.join('\n')));
  text = put(
    text,
    '      serviceAccountName: olm-guard',
    '      serviceAccountName: olm-guard\n      {{- with .Values.image.pullSecrets }}\n      imagePullSecrets:\n        {{- toYaml . | nindent 8 }}\n      {{- end }}',
  );
  for (const field of ['nodeSelector', 'tolerations', 'affinity']) {
    const more = `      {{- with .Values.${field} }}\n      ${field}:\n        {{- toYaml . | nindent 8 }}\n      {{- end }}`;
    text = put(text, '      containers:\n', `${more}\n      containers:\n`);
  }
  const resources = /^ {10}resources:\n(?: {12}.*\n)+/m.exec(text)?.[0] ?? '';
  text = put(
    text,
    resources,
    '          resources:\n            {{- toYaml .Values.resources | nindent 12 }}\n',
  );
  const client = load(manifest('components/client-certificate/kustomization.yaml')) as Component;
  const added = patchesOf(client)[0]?.operations ?? [];
  const values = (path: string): unknown[] =>
    added.filter((each) => each.path.endsWith(path)).map(({ value }) => value);
  const list = (items: readonly unknown[], width: number): string =>
    indent(dump(items, { lineWidth: -1 }).trimEnd(), width);
  const isClient = '.Values.clientCertificate.enabled';
  const [secret = ''] = operationsOf('self-managed', 'Deployment').map(
    ({ value }) => `- ${String(value)}`,
  );
  const args = put(
    list(values('/args/-'), 12),
    '--client-name=kube-apiserver-kubelet-client',
    '--client-name={{ .Values.clientCertificate.name }}',
  );
  const guarded = operationsOf('metrics-access', 'Deployment');
  const [access = ''] = guarded.flatMap(({ path, value }) =>
    path.endsWith('/args/-') ? [`            - ${String(value)}`] : [],
  );
  const [told = ''] = operationsOf('events', 'Deployment').map(({ value }) => `- ${String(value)}`);
  text = put(
    text,
    '            - --shutdown-grace=30\n',
    `            - --shutdown-grace=30\n${when(isSelfManaged, indent(secret, 12))}\n${when(isClient, args)}\n${when(isTold, `{{- include "olm-guard.toldByApiServers" . }}\n${indent(told, 12)}`)}\n${when(isAuthorized, access)}\n            {{- with .Values.extraArgs }}\n            {{- toYaml . | nindent 12 }}\n            {{- end }}\n`,
  );
  const probes = guarded.filter(({ path }) => path.endsWith('/httpGet/scheme')).length;
  text = put(
    text,
    '              port: metrics\n',
    `              port: metrics\n${when(isAuthorized, '              scheme: HTTPS')}\n`,
    probes,
  );
  const scrape = '        prometheus.io/scrape: "true"';
  text = put(text, scrape, when(`not (${isAuthorized})`, scrape));
  text = put(
    text,
    '      volumes:\n',
    `${when(isClient, list(values('/volumeMounts/-'), 12))}\n      volumes:\n`,
  );
  text = put(
    text,
    'secretName: olm-guard-tls\n',
    `secretName: olm-guard-tls\n${when(isSelfManaged, '            optional: true')}\n`,
  );
  text = `${text}\n${when(isClient, list(values('/volumes/-'), 8))}`;
  // The template's labels: kustomize writes both of its own there too.
  return put(
    text,
    '      labels:\n        app.kubernetes.io/name: olm-guard\n      annotations',
    '      labels:\n        app.kubernetes.io/name: olm-guard\n        app.kubernetes.io/part-of: olm-guard\n      annotations',
  );
}

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
}
interface Component {
  readonly patches?: readonly {
    /** A strategic merge patch has none: it names its object itself. */
    readonly target?: { readonly kind: string };
    readonly patch: string;
  }[];
}

function patchesOf({ patches = [] }: Component): { kind: string; operations: Operation[] }[] {
  return patches.flatMap(({ target, patch }) =>
    target === undefined ? [] : [{ kind: target.kind, operations: load(patch) as Operation[] }],
  );
}

/** What the component of that name does to objects of a kind. */
function operationsOf(component: string, kind: string): Operation[] {
  const parsed = load(manifest(`components/${component}/kustomization.yaml`)) as Component;
  return patchesOf(parsed)
    .filter((each) => each.kind === kind)
    .flatMap(({ operations }) => operations);
}

function webhooks(): string {
  const kind = 'ValidatingWebhookConfiguration';
  const operations = operationsOf('enforcing', kind);
  const failing = new Set(
    operations.filter(({ path }) => path.endsWith('/failurePolicy')).map(({ path }) => path),
  );
  const conditions = operations.filter(({ path }) => path.endsWith('/matchConditions/-'));
  if (operations.length !== failing.size + conditions.length) {
    throw new Error('the enforcing component does more than the chart knows of');
  }
  const [head = '', ...each] = placed(manifest(`base/${kind.toLowerCase()}.yaml`)).split(
    /^(?= {2}- name: \S+\.olm-guard\.io$)/m,
  );
  const bodies = each.map((webhook, index) => {
    const text = failing.has(`/webhooks/${index}/failurePolicy`)
      ? put(
          webhook,
          'failurePolicy: Ignore',
          `failurePolicy: {{ ternary "Fail" "Ignore" ${enforcing} }}`,
        )
      : webhook;
    const more = conditions.filter(({ path }) => path.startsWith(`/webhooks/${index}/`));
    // Conditions are the last of a webhook's fields.
    return more.reduce((before, { value }) => {
      const item = indent(dump([value], { lineWidth: -1 }).trimEnd(), 6);
      return `${before.trimEnd()}\n${when(enforcing, item)}\n`;
    }, text);
  });
  const injected = 'cert-manager.io/inject-ca-from: olm-guard/olm-guard';
  const service = Object.entries(
    operationsOf('openshift', kind)[0]?.value as Record<string, string>,
  ).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`);
  const annotations = head.slice(head.indexOf('  annotations:\n') + '  annotations:\n'.length);
  const own = annotations.slice(0, annotations.indexOf('webhooks:'));
  const ofCertManager = put(
    own,
    injected,
    `cert-manager.io/inject-ca-from: ${namespace}/olm-guard`,
  );
  const whole = put(
    head,
    own,
    `${when(isServiceCa, service.join('\n'), ofCertManager.trimEnd())}\n`,
  );
  return `{{- include "olm-guard.workingAuthority" . }}\n${whole}${bodies.join('')}`;
}

function service(): string {
  const annotations = operationsOf('openshift', 'Service')[0]?.value as Record<string, string>;
  const lines = Object.entries(annotations).map(([key, value]) => `    ${key}: ${value}`);
  const added = when(isServiceCa, ['  annotations:', ...lines].join('\n'));
  return put(placed(manifest('base/service.yaml')), '\nspec:\n', `\n${added}\nspec:\n`);
}

function networkPolicy(): string {
  const text = placed(manifest('base/networkpolicy.yaml'));
  const start = text.indexOf('    - from:\n');
  const end = text.indexOf('      ports:\n');
  const open = text.slice(start + '    - from:\n'.length, end);
  const [replaced] = operationsOf('openshift', 'NetworkPolicy');
  const onNode = indent(dump(replaced?.value, { lineWidth: -1 }).trimEnd(), 8);
  const kubernetes = put(
    put(open, '[10.244.0.0/16]', '{{ toJson .Values.podNetworks.ipv4 }}'),
    '["fd00:10:244::/56"]',
    '{{ toJson .Values.podNetworks.ipv6 }}',
  );
  const from = when(openshift, onNode, kubernetes.trimEnd());
  const converters = operationsOf('conversion', 'NetworkPolicy').map(({ value }) => value);
  const out = when(asksConverters, indent(dump(converters, { lineWidth: -1 }).trimEnd(), 4));
  return when(
    '.Values.networkPolicy',
    `${text.slice(0, start)}    - from:\n${from}\n${text.slice(end)}\n${out}`,
  );
}

function policies(): string {
  const shipped = (path: string): string => indent(manifest(path), 4);
  const map = (name: string, data: string): string =>
    placed(
      `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: olm-guard\ndata:\n  policy.yaml: |\n${data}`,
    );
  const both = when(
    enforcing,
    shipped('components/enforcing/policy.yaml'),
    shipped('base/policy.yaml'),
  );
  const own = map(
    'olm-guard-policy',
    '    apiVersion: olm-guard.io/v1alpha1\n    kind: Policy\n    {{- toYaml .Values.policy | nindent 4 }}',
  );
  return `${map('olm-guard-defaults', both)}\n${when('.Values.policy', `---\n${own}`)}`;
}

const certificates = (): string =>
  when(
    isCertManager,
    placed(manifest('components/cert-manager/certificate.yaml'))
      .replaceAll(/olm-guard\.olm-guard\.svc/g, `olm-guard.${namespace}.svc`)
      .trimEnd(),
  );

const rights = (): string => {
  const own = placed(manifest('components/self-managed/rbac.yaml'));
  const access = placed(manifest('components/metrics-access/rbac.yaml'));
  return [
    placed(manifest('base/rbac.yaml')),
    when(isSelfManaged, `---\n${own}`),
    when(isAuthorized, `---\n${access}`),
    when(isTold, `---\n${placed(manifest('components/events/rbac.yaml'))}`),
    when(asksConverters, `---\n${placed(manifest('components/conversion/rbac.yaml'))}`),
  ].join('\n');
};

const bundles = (): string => {
  const text = manifest('components/openshift/bundles.yaml');
  const labelled = placed(text).replaceAll(
    /^(metadata:\n(?: {2}.*\n)*? {2}namespace: ).*$/gm,
    '$1openshift-marketplace',
  );
  return when(openshift, labelled);
};

/** Alerts name their labels as Helm names values. */
const monitoring = (): string => {
  const part = (file: string): string =>
    placed(manifest(`components/${file}`)).replaceAll(/\{\{ [^}]+ \}\}/g, (placeholder) =>
      placeholder.includes('.Release.') || placeholder.includes('olm-guard.labels')
        ? placeholder
        : `{{ \`${placeholder}\` }}`,
    );
  const access = operationsOf('metrics-access', 'ServiceMonitor').map(({ path, value }) =>
    indent(
      dump({ [path.slice(path.lastIndexOf('/') + 1)]: value }, { lineWidth: -1 }).trimEnd(),
      6,
    ),
  );
  const authorized = access
    .join('\n')
    .replace('olm-guard.olm-guard.svc', `olm-guard.${namespace}.svc`);
  const interval = '      interval: 15s';
  const monitors = ['service-monitor', 'pod-monitor'].map((name) => {
    const text = part(`${name}/${name.replace('-', '')}.yaml`);
    const whole =
      name === 'service-monitor'
        ? put(text, interval, `${interval}\n${when(isAuthorized, authorized)}`)
        : text;
    return when(`eq .Values.monitoring "${name}"`, `---\n${whole}`);
  });
  return [
    when(
      '.Values.monitoring',
      part('alerts/prometheusrule.yaml').replaceAll(
        /https:\/\/unpkg\.com\/olm-guard@[^/]+\/docs\//g,
        '{{ $.Values.docsUrl }}/',
      ),
    ),
    ...monitors,
    when(openshift, `---\n${part('openshift/monitoring.yaml')}`),
  ].join('\n');
};

/** By their name under chart/templates. */
const templates: Readonly<Record<string, () => string>> = {
  'certificate.yaml': certificates,
  'bundles.yaml': bundles,
  'deployment.yaml': deployment,
  'monitoring.yaml': monitoring,
  'networkpolicy.yaml': networkPolicy,
  'poddisruptionbudget.yaml': () => placed(manifest('base/poddisruptionbudget.yaml')),
  'policy.yaml': policies,
  'rbac.yaml': rights,
  'service.yaml': service,
  'serviceaccount.yaml': () => placed(manifest('base/serviceaccount.yaml')),
  'validatingadmissionpolicy.yaml': () => placed(manifest('base/validatingadmissionpolicy.yaml')),
  'validatingwebhookconfiguration.yaml': webhooks,
};

export const chartFiles = [
  ...Object.entries(templates).map(([name, text]) => ({
    file: `chart/templates/${name}`,
    text: () => template(text()),
  })),
  { file: 'chart/values.schema.json', text: () => `${JSON.stringify(valuesSchema(), null, 2)}\n` },
];

/** Draft 7, which is what Helm reads. */
function valuesSchema(): object {
  const closed = (properties: object): object => ({
    type: 'object',
    additionalProperties: false,
    properties,
  });
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  const texts = { type: 'array', items: text };
  const { properties } = publishedPolicySchema() as unknown as {
    properties: Record<string, object>;
  };
  // The chart writes apiVersion and kind itself.
  const policy = Object.fromEntries(
    Object.entries(properties).filter(([name]) => name !== 'apiVersion' && name !== 'kind'),
  );
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the olm-guard chart',
    ...closed({
      global: { type: 'object' },
      image: closed({
        repository: { type: 'string', minLength: 1 },
        tag: text,
        digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
        pullPolicy: { enum: ['', 'Always', 'IfNotPresent', 'Never'] },
        pullSecrets: { type: 'array', items: { type: 'object' } },
      }),
      replicas: { type: 'integer', minimum: 1 },
      enforcing: flag,
      certificates: { enum: ['self-managed', 'manual', 'cert-manager', 'openshift'] },
      openshift: flag,
      monitoring: { enum: ['', 'service-monitor', 'pod-monitor'] },
      metricsAccess: { enum: ['anybody', 'authorized'] },
      events: flag,
      conversion: flag,
      clientCertificate: closed({ enabled: flag, name: { type: 'string', minLength: 1 } }),
      docsUrl: { type: 'string', pattern: '^https?://[^\\s"]+[^/\\s"]$' },
      networkPolicy: flag,
      podNetworks: closed({ ipv4: texts, ipv6: texts }),
      policy: { type: ['object', 'null'], additionalProperties: false, properties: policy },
      resources: { type: 'object' },
      extraArgs: texts,
      nodeSelector: { type: 'object' },
      tolerations: { type: 'array' },
      affinity: { type: 'object' },
    }),
  };
}
