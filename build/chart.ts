/**
 * The templates of the Helm chart, made of manifests/: what the chart can be told to do otherwise is
 * put in place of the text there. A text that is not found as often as expected is an error.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, load } from 'js-yaml';
import { defaultValues, valuesDocument, valuesSchema } from './chart-values.js';

const root = join(import.meta.dirname, '..');
const manifest = (path: string): string =>
  readFileSync(join(root, 'manifests', path), 'utf8').trimEnd();

const note = '{{- /* Made of manifests/ by "npm run docs". */ -}}\n';
const namespace = '{{ .Release.Namespace }}';
const serviceAccountName = '{{ include "olm-guard.serviceAccountName" . }}';

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
    .replaceAll(/(?<=values: \[)olm-guard(?=\])/g, namespace)
    .replaceAll(/(?<=app\.kubernetes\.io\/name: )olm-guard$/gm, '{{ include "olm-guard.name" . }}')
    .replaceAll(/(?<=- kind: ServiceAccount\n {4}name: )olm-guard$/gm, serviceAccountName);
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
const hasOlmMetrics = '.Values.olmMetrics';
const asksConverters = '.Values.conversion';
const isServiceCa = 'eq .Values.certificates "openshift"';
const isAggregated = '.Values.aggregatedApi';

/** A field with all that is under it. */
function block(text: string, field: string, width: number): string {
  const found = new RegExp(`^ {${width}}${field}:\\n(?: {${width + 1},}.*\\n)+`, 'm').exec(text);
  if (found === null) throw new Error(`there is no ${field}`);
  return found[0];
}

/** A field that is there where its value is. */
function given(field: string, width: number, condition?: string): string {
  const gap = ' '.repeat(width);
  const value = condition === undefined ? `.Values.${field}` : condition;
  return when(
    value,
    `${gap}${field}:\n${gap}  {{- toYaml .Values.${field} | nindent ${width + 2} }}`,
  );
}

function deployment(): string {
  let text = placed(manifest('base/deployment.yaml'));
  text = put(text, 'replicas: 2', 'replicas: {{ .Values.replicas }}');
  text = put(
    text,
    'image: olm-guard:0.1.0',
    'image: {{ include "olm-guard.image" . | quote }}\n          {{- with .Values.image.pullPolicy }}\n          imagePullPolicy: {{ . }}\n          {{- end }}',
  );
  for (const port of ['https', 'metrics']) {
    const number = `{{ .Values.ports.${port} }}`;
    const [shipped = ''] =
      new RegExp(String.raw`(?<=name: ${port}\n *containerPort: )\d+`).exec(text) ?? [];
    text = put(text, `containerPort: ${shipped}`, `containerPort: ${number}`);
    text = put(text, `listen=[::]:${shipped}`, `listen=[::]:${number}`);
    if (port === 'metrics') text = put(text, `port: "${shipped}"`, `port: "${number}"`);
  }
  text = put(
    text,
    block(text, 'strategy', 2),
    `  strategy:\n    {{- toYaml .Values.strategy | nindent 4 }}\n`,
  );
  text = put(
    text,
    '\n  selector:\n',
    `\n${given('revisionHistoryLimit', 2, 'not (kindIs "invalid" .Values.revisionHistoryLimit)')}\n  selector:\n`,
  );
  const user = ['runAsUser', 'runAsGroup', 'fsGroup'].map((each) => `        ${each}: 65532`);
  text = put(text, user.join('\n'), when(`not ${openshift}`, user.join('\n')));
  text = put(
    text,
    '      serviceAccountName: olm-guard',
    `      serviceAccountName: ${serviceAccountName}\n${given('imagePullSecrets', 6)}\n${given('priorityClassName', 6)}\n${when('.Values.hostNetwork', '      hostNetwork: true\n      dnsPolicy: ClusterFirstWithHostNet')}`,
  );
  for (const field of ['nodeSelector', 'tolerations', 'affinity']) {
    text = put(text, '      containers:\n', `${given(field, 6)}\n      containers:\n`);
  }
  const spread = block(text, 'topologySpreadConstraints', 6);
  text = put(
    text,
    spread,
    `${when('kindIs "invalid" .Values.topologySpreadConstraints', spread.trimEnd(), given('topologySpreadConstraints', 6))}\n`,
  );
  const env = block(text, 'env', 10);
  text = put(
    text,
    env,
    `${env}          {{- with .Values.env }}\n            {{- toYaml . | nindent 12 }}\n          {{- end }}\n`,
  );
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
  const [aggregated = ''] = operationsOf('aggregated-api', 'Deployment').map(
    ({ value }) => `            - ${String(value)}`,
  );
  const [told = ''] = operationsOf('events', 'Deployment').map(({ value }) => `- ${String(value)}`);
  text = put(
    text,
    '            - --shutdown-grace=30\n',
    `            - --shutdown-grace=30\n${when(isSelfManaged, indent(secret, 12))}\n${when(isClient, args)}\n${when(isAggregated, `{{- include "olm-guard.shownOnce" . }}\n${aggregated}`)}\n${when(isTold, `{{- include "olm-guard.toldByApiServers" . }}\n${indent(told, 12)}`)}\n${when(isAuthorized, access)}\n${when(`not ${hasOlmMetrics}`, '            - --olm-metrics=off')}\n            {{- with .Values.extraArgs }}\n            {{- toYaml . | nindent 12 }}\n            {{- end }}\n`,
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
  const more = (value: string, width: number): string =>
    `${' '.repeat(width)}{{- with .Values.${value} }}\n${' '.repeat(width)}{{- toYaml . | nindent ${width} }}\n${' '.repeat(width)}{{- end }}`;
  text = put(
    text,
    '      volumes:\n',
    `${when(isClient, list(values('/volumeMounts/-'), 12))}\n${more('extraVolumeMounts', 12)}\n      volumes:\n`,
  );
  text = put(
    text,
    'secretName: olm-guard-tls\n',
    `secretName: olm-guard-tls\n${when(isSelfManaged, '            optional: true')}\n`,
  );
  text = `${text}\n${when(isClient, list(values('/volumes/-'), 8))}\n${more('extraVolumes', 8)}`;
  // The template's labels: kustomize writes both of its own there too.
  const name = '      labels:\n        app.kubernetes.io/name: {{ include "olm-guard.name" . }}\n';
  const labels = `        app.kubernetes.io/part-of: olm-guard\n        {{- with mergeOverwrite (dict) .Values.commonLabels .Values.podLabels }}\n        {{- toYaml . | nindent 8 }}\n        {{- end }}\n`;
  return put(
    text,
    `${name}      annotations:\n`,
    `${name}${labels}      annotations:\n        {{- with .Values.podAnnotations }}\n        {{- toYaml . | nindent 8 }}\n        {{- end }}\n`,
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

/** As the enforcing component writes them. */
const exemptGroups = `[ ${defaultValues.exemptGroups.map((group) => `"${group}"`).join(', ')}]`;

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
  const reviewers = operationsOf('aggregated-api', kind)
    .filter(({ path }) => path.endsWith('/clientConfig/service'))
    .map(({ value }) => value);
  const [head = '', ...each] = placed(manifest(`base/${kind.toLowerCase()}.yaml`)).split(
    /^(?= {2}- name: \S+\.olm-guard\.io$)/m,
  );
  const bodies = each.map((webhook, index) => {
    const [, name = ''] = /^ {2}- name: (\S+)\.olm-guard\.io$/m.exec(webhook) ?? [];
    const usual = failing.has(`/webhooks/${index}/failurePolicy`)
      ? `(ternary "Fail" "Ignore" ${enforcing})`
      : '"Ignore"';
    const own = block(webhook, 'service', 6);
    const through = dump({ service: reviewers[index] }, { lineWidth: -1 }).trimEnd();
    const text = put(
      put(
        put(webhook, own, `${when(isAggregated, indent(through, 6), own.trimEnd())}\n`),
        'failurePolicy: Ignore',
        `failurePolicy: {{ get .Values.failurePolicies "${name}" | default ${usual} }}`,
      ),
      'timeoutSeconds: 10',
      'timeoutSeconds: {{ .Values.timeoutSeconds }}',
    );
    const more = conditions.filter(({ path }) => path.startsWith(`/webhooks/${index}/`));
    // Conditions are the last of a webhook's fields.
    const whole = more.reduce((before, { value }) => {
      const item = indent(dump([value], { lineWidth: -1 }).trimEnd(), 6);
      return `${before.trimEnd()}\n${when(enforcing, put(item, exemptGroups, '[ "{{ join "\\", \\"" .Values.exemptGroups }}"]'))}\n`;
    }, text);
    return `${whole.trimEnd()}\n      {{- with .Values.matchConditions }}\n      {{- toYaml . | nindent 6 }}\n      {{- end }}\n`;
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
  let text = placed(manifest('base/networkpolicy.yaml'));
  text = put(text, '        - port: 8080\n', '        - port: {{ .Values.ports.metrics }}\n');
  text = text.replace('        - port: 8443\n', '        - port: {{ .Values.ports.https }}\n');
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
  const isDocumented = '.Values.documented';
  const proven = 'enforce: proven';
  const strict = `enforce: {{ ternary "all" "proven" ${isDocumented} }}`;
  const both = when(
    enforcing,
    put(shipped('components/enforcing/policy.yaml'), proven, strict),
    when(isDocumented, shipped('overlays/documented/policy.yaml'), shipped('base/policy.yaml')),
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
  const required = placed(manifest('components/openshift/requirements.yaml'));
  const own = placed(manifest('components/self-managed/rbac.yaml'));
  const access = placed(manifest('components/metrics-access/rbac.yaml'));
  return [
    placed(manifest('base/rbac.yaml')),
    when(isSelfManaged, `---\n${own}`),
    when(isAuthorized, `---\n${access}`),
    when(isTold, `---\n${placed(manifest('components/events/rbac.yaml'))}`),
    when(asksConverters, `---\n${placed(manifest('components/conversion/rbac.yaml'))}`),
    when(openshift, `---\n${required}`),
  ].join('\n');
};

/** What writes policies that stand beside the gate. */
function vapSync(): string {
  const part = (file: string): string => placed(manifest(`components/vap-sync/${file}.yaml`));
  const own = (text: string): string => text.replaceAll('.Values.', '.Values.vapSync.');
  let text = put(part('cronjob'), '"17 * * * *"', own('{{ .Values.schedule | quote }}'));
  text = put(text, 'image: olm-guard:0.1.0', 'image: {{ include "olm-guard.image" . | quote }}');
  text = put(
    text,
    '                - sync\n',
    `                - sync\n${own('                {{- with .Values.definitions }}\n                {{- toYaml . | nindent 16 }}\n                {{- end }}')}\n`,
  );
  text = put(
    text,
    '                - --in-cluster\n',
    `                - --in-cluster\n${when('.Values.vapSync.audit', '                - --audit')}\n${when('.Values.vapSync.denyDeletion', '                - --deny-deletion')}\n`,
  );
  const fields = ['imagePullSecrets', 'nodeSelector', 'tolerations'].map((each) => given(each, 10));
  text = put(
    text,
    '          restartPolicy: Never\n',
    `          restartPolicy: Never\n${fields.join('\n')}\n`,
  );
  return when('.Values.vapSync.enabled', `${part('rbac')}\n---\n${text}`);
}

/** What the API server passes reviews on by, with the right to know its front proxy. */
const aggregatedApi = (): string => {
  const part = (file: string): string => placed(manifest(`components/aggregated-api/${file}.yaml`));
  const [annotation = ''] = /^ {4}cert-manager\.io\/.*$/m.exec(part('apiservice')) ?? [];
  const injected = annotation.replace('olm-guard/olm-guard', `${namespace}/olm-guard`);
  const [service = {}] = operationsOf('openshift', 'APIService').map(
    ({ value }) => value as object,
  );
  const ofOpenShift = Object.entries(service).map(([key, value]) => `    ${key}: "${value}"`);
  const text = [
    put(part('apiservice'), annotation, when(isServiceCa, ofOpenShift.join('\n'), injected)),
    part('rbac'),
    put(part('validatingadmissionpolicy'), ':olm-guard$', `:${serviceAccountName}$`),
  ].join('\n---\n');
  return when(isAggregated, text);
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
    placed(manifest(`components/${file}`))
      .replaceAll(/\{\{ [^}]+ \}\}/g, (placeholder) =>
        placeholder.includes('.Release.') || placeholder.includes('include "olm-guard.')
          ? placeholder
          : `{{ \`${placeholder}\` }}`,
      )
      .replaceAll(
        'app.kubernetes.io/name=olm-guard',
        'app.kubernetes.io/name={{ include "olm-guard.name" . }}',
      );
  const elsewhere = (text: string, value: string): string => {
    const labels = '    {{- include "olm-guard.labels" . | nindent 4 }}\n';
    const more = ` {{- with .Values.${value}.labels }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}\n`;
    const annotations = text.includes('\n  annotations:\n')
      ? `    {{- with .Values.${value}.annotations }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}\n`
      : given('annotations', 2).replaceAll('.Values.', `.Values.${value}.`) + '\n';
    const placedElsewhere = put(
      put(text, namespace, `{{ .Values.${value}.namespace | default .Release.Namespace }}`),
      labels,
      `${labels}   ${more}${text.includes('\n  annotations:\n') ? '' : annotations}`,
    );
    return text.includes('\n  annotations:\n')
      ? put(placedElsewhere, '\n  annotations:\n', `\n  annotations:\n${annotations}`)
      : placedElsewhere;
  };
  const access = operationsOf('metrics-access', 'ServiceMonitor')
    .filter(({ path }) => path.startsWith('/spec/'))
    .map(({ path, value }) =>
      indent(
        dump({ [path.slice(path.lastIndexOf('/') + 1)]: value }, { lineWidth: -1 }).trimEnd(),
        6,
      ),
    );
  const authorized = access
    .join('\n')
    .replace('olm-guard.olm-guard.svc', `olm-guard.${namespace}.svc`);
  const selected = `  namespaceSelector:\n    matchNames: [${namespace}]`;
  const monitor = put(
    put(
      elsewhere(part('monitoring/servicemonitor.yaml'), 'monitor'),
      '      interval: 15s',
      [
        '      interval: {{ .Values.monitor.interval }}',
        ...['relabelings', 'metricRelabelings'].map((field) =>
          given(field, 6).replaceAll('.Values.', '.Values.monitor.'),
        ),
        when(isAuthorized, authorized),
      ].join('\n'),
    ),
    '\n  selector:\n',
    `\n${when('.Values.monitor.namespace', selected)}\n  selector:\n`,
  );
  const rules = elsewhere(part('monitoring/prometheusrule.yaml'), 'rules').replaceAll(
    /https:\/\/unpkg\.com\/olm-guard@[^/]+\/docs\//g,
    '{{ $.Values.docsUrl }}/',
  );
  const [ofOlm = ''] =
    /^ +- alert: CsvAbnormalFailedOver2Min\n[^]*(?=\n +- alert: CatalogSourceNotReady)/m.exec(
      rules,
    ) ?? [];
  return [
    when('.Values.monitoring', `${put(rules, ofOlm, when(hasOlmMetrics, ofOlm))}\n---\n${monitor}`),
    when(openshift, `---\n${part('openshift/monitoring.yaml')}`),
  ].join('\n');
};

/** By their name under chart/templates. */
const templates: Readonly<Record<string, () => string>> = {
  'aggregatedapi.yaml': aggregatedApi,
  'certificate.yaml': certificates,
  'bundles.yaml': bundles,
  'deployment.yaml': deployment,
  'monitoring.yaml': monitoring,
  'networkpolicy.yaml': networkPolicy,
  'poddisruptionbudget.yaml': () =>
    when(
      'and .Values.podDisruptionBudget (gt (int .Values.replicas) 1)',
      placed(manifest('base/poddisruptionbudget.yaml')),
    ),
  'policy.yaml': policies,
  'rbac.yaml': rights,
  'service.yaml': service,
  'serviceaccount.yaml': () => {
    const text = placed(manifest('base/serviceaccount.yaml'));
    const annotations = given('annotations', 2).replaceAll('.Values.', '.Values.serviceAccount.');
    return when(
      '.Values.serviceAccount.create',
      `${put(text, '  name: olm-guard\n', `  name: ${serviceAccountName}\n`).trimEnd()}\n${annotations}`,
    );
  },
  'validatingadmissionpolicy.yaml': () =>
    [
      ...['validatingadmissionpolicy', 'validatingadmissionpolicy-defaults'].map((name) =>
        placed(manifest(`base/${name}.yaml`)),
      ),
      put(
        placed(manifest('base/validatingadmissionpolicy-own-rights.yaml')),
        ':olm-guard$',
        `:${serviceAccountName}$`,
        2,
      ),
    ].join('\n---\n'),
  'validatingwebhookconfiguration.yaml': webhooks,
  'vapsync.yaml': vapSync,
};

export const chartFiles = [
  ...Object.entries(templates).map(([name, text]) => ({
    file: `chart/templates/${name}`,
    text: () => template(text()),
  })),
  {
    file: 'chart/dashboards/olm-guard.json',
    text: () => `${manifest('components/dashboard/olm-guard.json')}\n`,
  },
  { file: 'chart/README.md', text: valuesDocument },
  { file: 'chart/values.schema.json', text: () => `${JSON.stringify(valuesSchema(), null, 2)}\n` },
];
