/** Reasons why operator-controller refuses a registry+v1 bundle, in its words and its order. */
import { dependencyRefusal } from '../../catalogs/upgrades/resolve-v1.js';
import { compareBytes, formatList, quote, sortedUnique } from '../../../text/go/index.js';
import { subdomainProblems } from '../../../text/formats/names.js';
import type { Path } from '../../../text/documents/index.js';
import { defineRule, from, sources } from '../../../rule/index.js';
import { flagAt, objectsAt, textAt, textsAt } from '../../../text/documents/fields.js';
import { groupBy } from '../../../text/group.js';
import type { Csv } from '../../objects/classic-objects.js';
import type { BundleInstallation } from '../../catalogs/catalog.js';
import { installRefusal, type InstallRequest } from '../../catalogs/upgrades/extension-config.js';
import {
  conversionWebhook,
  invalidWebhookDescription,
  webhooksOf,
} from '../objects/cluster-service-version/webhooks.js';
import { type Bundle, locate, type Part } from './bundle.js';
import { exampleCsv } from './example-bundle.js';
import type { Finding } from '../../../rule/index.js';

interface Refusal {
  readonly message: string;
  readonly part: Part<unknown>;
  readonly keys: Path;
  /** The rule that reports the same mistake as OLM classic's or opm's. */
  readonly reportedBy?: string;
}

const messages = { refused: 'OLM v1 does not install the bundle: {refusal}' } as const;

const webhookOn = (group: string): string =>
  exampleCsv({
    more: `install: { spec: { deployments: [{ name: cats }] } }, webhookdefinitions: [{ type: ValidatingAdmissionWebhook, generateName: cats.example.com, deploymentName: cats, rules: [{ apiGroups: [${group}], resources: ['*'] }] }],`,
  });

export const refusedByOlmV1 = defineRule({
  id: 'RefusedByOlmV1',
  family: 'catalogs',
  subject: 'bundle',
  severity: 'error',
  checks:
    'OLM v1 can render the manifests of a bundle: each name once, deployments and webhooks with DNS names, webhooks with a deployment and without a rule about OLM’s own objects, and no kinds but those of registry+v1.',
  why: 'OLM v1 installs and upgrades nothing of a bundle that it refuses: the ClusterExtension stays at Progressing with reason Retrying.',
  otherwise:
    'webhook "…" contains forbidden rule: admission webhook rules cannot reference API group "olm.operatorframework.io"',
  instead: 'Correct what the message names, and publish the bundle under a new version.',
  source: sources(
    from.operatorController(
      'internal/operator-controller/rukpak/render/registryv1/validators/validator.go',
    ),
    from.operatorController(
      'internal/operator-controller/rukpak/bundle/source/source.go',
      'GetBundle',
    ),
  ),
  messages,
  example: {
    after: webhookOn('olm.operatorframework.io'),
    says: 'admission webhook rules cannot reference API group "olm.operatorframework.io"',
    accepted: webhookOn('example.com'),
  },
});

const requires = (modes: string): string => exampleCsv({ installModes: modes });

export const unsupportedByOlmV1 = defineRule({
  id: 'UnsupportedByOlmV1',
  family: 'catalogs',
  subject: 'bundle',
  severity: 'warning',
  checks:
    'A bundle needs nothing that only OLM classic has: it supports AllNamespaces, owns no APIService, and depends on no other operator.',
  why: 'OLM classic installs such a bundle, and a ClusterExtension for it stays at Progressing with reason Retrying.',
  otherwise: 'unsupported bundle: bundle does not support AllNamespaces install mode',
  instead:
    'Support AllNamespaces, serve the API by a CustomResourceDefinition, and tell users what to install first; or publish the bundle for OLM classic only.',
  source: sources(
    from.operatorController('internal/operator-controller/applier/provider.go', 'Get'),
    from.operatorController(
      'internal/operator-controller/resolve/validation.go',
      'NoDependencyValidation',
    ),
  ),
  messages,
  example: {
    after: requires('{ type: OwnNamespace, supported: true }'),
    says: 'unsupported bundle: bundle does not support AllNamespaces install mode',
    accepted: requires('{ type: AllNamespaces, supported: true }'),
  },
});

/** Findings for a bundle’s author: also what operator-controller would only say after another mistake. */
export function* checkForOlmV1(bundle: Bundle): Generator<Finding> {
  const { csv } = bundle;
  if (csv === undefined) return;
  for (const refusal of unsupported(csv)) {
    if (refusal.reportedBy === undefined) yield finding(unsupportedByOlmV1, refusal);
  }
  // One says it all, and OLM v1 says one.
  for (const refusal of dependencies(bundle, csv)) {
    yield finding(unsupportedByOlmV1, refusal);
    break;
  }
  for (const refusal of [...subfolders(bundle, csv), ...invalid(bundle, csv)]) {
    if (refusal.reportedBy === undefined) yield finding(refusedByOlmV1, refusal);
  }
}

function finding(
  rule: typeof refusedByOlmV1 | typeof unsupportedByOlmV1,
  { message, part, keys }: Refusal,
): Finding {
  const refused = rule.finding({ id: 'refused', data: { refusal: message } });
  return locate(refused, part, ...keys);
}

/** Null where it renders them. It stops at the first step that finds anything. */
export function refusalOfOlmV1(
  bundle: Bundle,
  request: InstallRequest = { namespace: '' },
): string | null {
  const { csv } = bundle;
  if (csv === undefined) return 'no ClusterServiceVersion found in "manifests"';
  const [nested] = subfolders(bundle, csv);
  const refusal = nested?.message ?? installRefusal(installationOf(csv.value), request);
  if (refusal !== undefined) return refusal;
  const said = invalid(bundle, csv).map(({ message }) => message);
  if (said.length > 0) return said.join('\n');
  return [...convertedPreservingUnknownFields(bundle, csv)][0]?.message ?? null;
}

function installationOf({ ownedApiServices, installModes }: Csv): BundleInstallation {
  const modes = installModes.flatMap(({ type, supported }) => (supported ? [type] : []));
  return { modes, ownsApiServices: ownedApiServices.length > 0 };
}

/** Manifests are what is in the folder of the ClusterServiceVersion; beside it are metadata and tests. */
function folderOf({ document }: Pick<Part, 'document'>): string {
  const { file = '' } = document;
  return file.slice(0, Math.max(0, file.lastIndexOf('/')));
}

function* subfolders({ objects }: Bundle, csv: Part<Csv>): Generator<Refusal> {
  const folder = folderOf(csv);
  if (!/(?:^|\/)manifests$/.test(folder)) return;
  const seen = new Set<string>();
  for (const part of objects) {
    const [name] = folderOf(part).startsWith(`${folder}/`)
      ? folderOf(part)
          .slice(folder.length + 1)
          .split('/')
      : [];
    if (name === undefined || seen.has(name)) continue;
    seen.add(name);
    yield {
      message: `subdirectories are not allowed within the "manifests" directory of the bundle image filesystem: found ${quote(`manifests/${name}`)}`,
      part,
      keys: [],
    };
  }
}

/** Each by itself, of which OLM v1 would only say the first. */
function* unsupported(csv: Part<Csv>): Generator<Refusal> {
  const { installModes } = csv.value;
  const { modes, ownsApiServices } = installationOf(csv.value);
  const refusalOf = (installation: BundleInstallation): string | undefined =>
    installRefusal(installation, { namespace: '' });
  const ofServices = refusalOf({ modes: ['AllNamespaces'], ownsApiServices });
  if (ofServices !== undefined) {
    yield { message: ofServices, part: csv, keys: ['spec', 'apiservicedefinitions', 'owned'] };
  }
  const ofModes = refusalOf({ modes, ownsApiServices: false });
  if (ofModes !== undefined) {
    const keys = installModes.length === 0 ? ['spec'] : ['spec', 'installModes'];
    const isReported = modes.length === 0 ? { reportedBy: 'BundleInstallModes' } : {};
    yield { message: ofModes, part: csv, keys, ...isReported };
  }
}

/** opm renders metadata/dependencies.yaml into properties, and they count when OLM v1 chooses the bundle. */
function* dependencies(bundle: Bundle, csv: Part<Csv>): Generator<Refusal> {
  const required = new Map([
    ['olm.package', 'olm.package.required'],
    ['olm.gvk', 'olm.gvk.required'],
  ]);
  const properties = [
    ...bundle.properties.map((part) => ({ part, type: textAt(part.value, 'type') })),
    ...bundle.dependencies.map((part) => {
      const type = textAt(part.value, 'type') ?? '';
      return { part, type: required.get(type) ?? type };
    }),
  ];
  for (const { part, type } of properties) {
    const message = dependencyRefusal(csv.value.name, type ?? '');
    if (message !== undefined) yield { message, part, keys: ['type'] };
  }
}

const invalid = (bundle: Bundle, csv: Part<Csv>): Refusal[] =>
  validators.flatMap((validate) => [...validate(bundle, csv)]);

type Validator = (bundle: Bundle, csv: Part<Csv>) => Iterable<Refusal>;

interface Named {
  readonly name: string;
  readonly index: number;
}

const atDeployment = (index: number, ...below: Path): Path => [
  ...['spec', 'install', 'spec', 'deployments', index],
  ...below,
];
const atWebhook = (index: number, ...below: Path): Path => [
  ...['spec', 'webhookdefinitions', index],
  ...below,
];

function deployments({ value }: Part<Csv>): Named[] {
  return objectsAt(value.object, 'spec', 'install', 'spec', 'deployments').map(
    (deployment, index) => ({ name: textAt(deployment, 'name') ?? '', index }),
  );
}

function webhooks({ value }: Part<Csv>) {
  return webhooksOf(value).map((webhook, index) => ({
    index,
    name: textAt(webhook, 'generateName') ?? '',
    type: textAt(webhook, 'type') ?? '',
    deployment: textAt(webhook, 'deploymentName') ?? '',
    crds: textsAt(webhook, 'conversionCRDs'),
    rules: objectsAt(webhook, 'rules'),
  }));
}

const conversions = (csv: Part<Csv>) =>
  webhooks(csv).filter(({ type }) => type === 'ConversionWebhook');

function grouped<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
): [string, Value[]][] {
  return [...groupBy(values, keyOf)].sort(([one], [other]) => compareBytes(one, other));
}

function repeated<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  return grouped(values, keyOf).flatMap(([, group]) => group.slice(1, 2));
}

function each<Value>(values: readonly Value[], keyOf: (value: Value) => string): Value[] {
  return grouped(values, keyOf).flatMap(([, group]) => group.slice(0, 1));
}

const nameOfPart = ({ value }: Part): string => textAt(value, 'metadata', 'name') ?? '';
const nameOf = ({ name }: { readonly name: string }): string => name;
const typeAndName = ({ type, name }: { readonly type: string; readonly name: string }): string =>
  `${type}\0${name}`;

const validators: readonly Validator[] = [
  function* deploymentSpecUniqueness(_, csv) {
    for (const { name, index } of repeated(deployments(csv), nameOf)) {
      const message = `cluster service version contains duplicate strategy deployment spec '${name}'`;
      yield { message, part: csv, keys: atDeployment(index, 'name') };
    }
  },
  function* deploymentNames(_, csv) {
    for (const { name, index } of each(deployments(csv), nameOf)) {
      const problems = subdomainProblems(name).sort(compareBytes);
      if (problems.length === 0) continue;
      const message = `invalid cluster service version strategy deployment name '${name}': ${problems.join(', ')}`;
      yield { message, part: csv, keys: atDeployment(index) };
    }
  },
  function* definitionUniqueness({ definitions }) {
    for (const part of repeated(definitions, nameOfPart)) {
      const name = nameOfPart(part);
      const message = `bundle contains duplicate custom resource definition '${name}'`;
      yield { message, part, keys: ['metadata', 'name'] };
    }
  },
  function* ownedDefinitions({ definitions }, csv) {
    const brought = new Set(definitions.map(nameOfPart));
    const owned = csv.value.ownedCrds.map(({ name }, index) => ({ name, index }));
    for (const { name, index } of each(owned, nameOf)) {
      if (brought.has(name)) continue;
      yield {
        message: `cluster service definition references owned custom resource definition '${name}' not found in bundle`,
        part: csv,
        keys: ['spec', 'customresourcedefinitions', 'owned', index],
        reportedBy: 'OwnedCrdMissing',
      };
    }
  },
  function* packageName({ annotations }, csv) {
    const name = textAt(annotations?.value, 'operators.operatorframework.io.bundle.package.v1');
    if ((name ?? '') !== '') return;
    const message = 'package name is empty';
    yield { message, part: csv, keys: [], reportedBy: 'BundlePartMissing' };
  },
  function* conversionSupport(_, csv) {
    const modes = csv.value.installModes.flatMap(({ type, supported }) =>
      supported ? [type] : [],
    );
    const supported = sortedUnique(modes);
    if (supported.length === 1 && supported[0] === 'AllNamespaces') return;
    for (const { name, index } of conversions(csv)) {
      yield {
        message: `bundle contains conversion webhook ${quote(name)} and supports install modes ${formatList(supported)} - conversion webhooks are only supported for bundles that only support AllNamespaces install mode`,
        part: csv,
        keys: atWebhook(index),
        reportedBy: conversionWebhook.id,
      };
    }
  },
  function* webhookDeployments(_, csv) {
    const names = new Set(deployments(csv).map(nameOf));
    const lost = webhooks(csv).filter(({ deployment }) => !names.has(deployment));
    lost.sort(
      (one, other) =>
        compareBytes(one.deployment, other.deployment) ||
        compareBytes(one.type, other.type) ||
        compareBytes(one.name, other.name),
    );
    for (const { type, name, deployment, index } of lost) {
      const message = `webhook of type '${type}' with name '${name}' references non-existent deployment '${deployment}'`;
      yield { message, part: csv, keys: atWebhook(index) };
    }
  },
  function* webhookUniqueness(_, csv) {
    for (const { type, name, index } of repeated(webhooks(csv), typeAndName)) {
      yield {
        message: `duplicate webhook '${name}' of type '${type}'`,
        part: csv,
        keys: atWebhook(index),
        reportedBy: invalidWebhookDescription.id,
      };
    }
  },
  function* webhookNames(_, csv) {
    for (const { type, name, index } of each(webhooks(csv), typeAndName)) {
      const problems = subdomainProblems(name).sort(compareBytes);
      if (problems.length === 0) continue;
      const message = `webhook of type '${type}' has invalid name '${name}': ${problems.join(',')}`;
      yield { message, part: csv, keys: atWebhook(index) };
    }
  },
  function* convertedOnce(_, csv) {
    const named = conversions(csv).flatMap(({ name, crds, index }) =>
      crds.map((crd) => ({ name, crd, index })),
    );
    for (const [crd, group] of grouped(named, ({ crd }) => crd)) {
      const [, second] = group;
      if (second === undefined) continue;
      const names = group.map(nameOf).sort(compareBytes).join(',');
      const message = `conversion webhooks [${names}] reference same custom resource definition '${crd}'`;
      yield { message, part: csv, keys: atWebhook(second.index, 'conversionCRDs') };
    }
  },
  function* convertedOwned(_, csv) {
    const owned = new Set(csv.value.ownedCrds.map(nameOf));
    for (const { name, crds, index } of conversions(csv).sort((one, other) =>
      compareBytes(one.name, other.name),
    )) {
      for (const crd of [...crds].sort(compareBytes)) {
        if (owned.has(crd)) continue;
        yield {
          message: `conversion webhook '${name}' references custom resource definition '${crd}' not owned bundle`,
          part: csv,
          keys: atWebhook(index, 'conversionCRDs'),
          reportedBy: conversionWebhook.id,
        };
      }
    }
  },
  function* webhookRules(_, csv) {
    for (const { name, type, rules, index } of webhooks(csv)) {
      if (type === 'ConversionWebhook') continue;
      for (const [at, rule] of rules.entries()) {
        for (const group of textsAt(rule, 'apiGroups')) {
          for (const refused of forbidden(group, textsAt(rule, 'resources'))) {
            const message = `webhook ${quote(name)} contains forbidden rule: admission webhook rules cannot reference ${refused}`;
            const isKnown = group === '*' ? { reportedBy: invalidWebhookDescription.id } : {};
            yield { message, part: csv, keys: atWebhook(index, 'rules', at), ...isKnown };
          }
        }
      }
    }
  },
  function* kinds({ objects }, csv) {
    for (const part of objects) {
      const kind = textAt(part.value, 'kind') ?? '';
      if (folderOf(part) !== folderOf(csv) || supportedKinds.has(kind)) continue;
      const name = nameOfPart(part);
      const message = `unsupported resource ${quote(name)} with kind ${quote(kind)}`;
      yield { message, part, keys: ['kind'] };
    }
  },
];

const configurations = new Set([
  '*',
  'mutatingwebhookconfiguration',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfiguration',
  'validatingwebhookconfigurations',
]);

function* forbidden(group: string, resources: readonly string[]): Generator<string> {
  if (group === '*' || group === 'olm.operatorframework.io') yield `API group ${quote(group)}`;
  if (group !== 'admissionregistration.k8s.io') return;
  for (const resource of resources) {
    if (!configurations.has(resource.toLowerCase())) continue;
    yield `resource ${quote(resource)} for API group ${quote(group)}`;
  }
}

/** operator-registry's table of registry+v1; OLM classic unpacks the same. */
const supportedKinds: ReadonlySet<string> = new Set([
  ...['ClusterServiceVersion', 'CustomResourceDefinition', 'Secret', 'ConfigMap', 'Service'],
  ...['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'],
  ...['PrometheusRule', 'ServiceMonitor', 'PodMonitor', 'PodDisruptionBudget', 'PriorityClass'],
  ...['VerticalPodAutoscaler', 'NetworkPolicy', 'ConsoleYAMLSample', 'ConsoleQuickStart'],
  ...['ConsoleCLIDownload', 'ConsoleLink', 'ConsolePlugin'],
]);

/** Reported as `ConversionWebhook` too; the generators of manifests come after every validator. */
function* convertedPreservingUnknownFields(
  { definitions }: Bundle,
  csv: Part<Csv>,
): Generator<Refusal> {
  const converted = new Set(conversions(csv).flatMap(({ crds }) => crds));
  for (const part of definitions) {
    const name = nameOfPart(part);
    if (!converted.has(name) || !flagAt(part.value, 'spec', 'preserveUnknownFields')) continue;
    const message = `custom resource definition '${name}' must have .spec.preserveUnknownFields set to false to let API Server call webhook to do the conversion`;
    yield { message, part, keys: ['spec', 'preserveUnknownFields'] };
  }
}
