/**
 * `npm run olm -- IMAGE BUNDLE-IMAGE FOLDER`: olm-guard as OLM installs it: a registry+v1 bundle, a file-based catalog that offers it, and a
 * ClusterExtension, made of manifests/base as the chart is, with images of your registry; npm run docs
 * writes manifests/olm with those that manifests/ name.
 *
 * OLM makes the Service, the certificate and the registration from `webhookdefinitions`, and takes less
 * there than an API server does: no match conditions, no rules for the groups of OLM (v0 refuses its own
 * in ValidWebhookRules of operator-lifecycle-manager, v1 its own in CheckWebhookRules of
 * operator-controller), no ValidatingAdmissionPolicies.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { dump, load, loadAll } from 'js-yaml';

const root = join(import.meta.dirname, '..');
const base = join(root, 'manifests', 'base');
const packageManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  description: string;
};

/** Of OLM v0 and v1: a bundle that brings webhooks for one of them is refused. */
const groupsOfOlm = ['operators.coreos.com', 'olm.operatorframework.io'];

interface Release {
  readonly version: string;
  /** The version that this one replaces. */
  readonly replaces?: string;
  /** Where the image of the gate is. */
  readonly image: string;
  /** Where the image of the bundle is, as the catalog names it. */
  readonly bundleImage: string;
}

/** What manifests/ name, for whoever puts images where a cluster finds them. */
export const ownRelease: Release = {
  version: packageManifest.version,
  image: `olm-guard:${packageManifest.version}`,
  bundleImage: `olm-guard-bundle:${packageManifest.version}`,
};

interface Rule {
  readonly apiGroups: readonly string[];
}
interface Webhook {
  readonly name: string;
  readonly clientConfig: { readonly service: { readonly path: string } };
  readonly rules: readonly Rule[];
  readonly [field: string]: unknown;
}
interface Deployment {
  readonly spec: {
    template: {
      spec: {
        securityContext: Record<string, unknown>;
        volumes: { name: string }[];
        containers: {
          image: string;
          args: string[];
          volumeMounts: { name: string }[];
        }[];
      };
    };
  };
}
interface NamedObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly rules?: unknown;
}

const readAll = (file: string): NamedObject[] =>
  loadAll(readFileSync(join(base, file), 'utf8')) as NamedObject[];

/** Where OLM mounts the certificate that it makes. */
const certificates = '/tmp/k8s-webhook-server/serving-certs';

function deployment(image: string): unknown {
  const { spec } = load(readFileSync(join(base, 'deployment.yaml'), 'utf8')) as Deployment;
  const pod = spec.template.spec;
  pod.volumes = pod.volumes.filter(({ name }) => name !== 'tls');
  // OpenShift gives its own, and the image has one.
  for (const field of ['runAsUser', 'runAsGroup', 'fsGroup']) delete pod.securityContext[field];
  for (const container of pod.containers) {
    container.image = image;
    container.volumeMounts = container.volumeMounts.filter(({ name }) => name !== 'tls');
    container.args = container.args.map((arg) => arg.replace(/=\/tls\//, `=${certificates}/`));
  }
  return spec;
}

function webhookDefinitions(): unknown[] {
  const [registration] = readAll('validatingwebhookconfiguration.yaml') as unknown as {
    webhooks: Webhook[];
  }[];
  return (registration?.webhooks ?? [])
    .filter(
      ({ rules }) =>
        !rules.some(({ apiGroups }) => apiGroups.some((group) => groupsOfOlm.includes(group))),
    )
    .map(({ name, clientConfig, admissionReviewVersions, rules, ...others }) => ({
      type: 'ValidatingAdmissionWebhook',
      generateName: name,
      deploymentName: 'olm-guard',
      containerPort: 443,
      targetPort: 8443,
      webhookPath: clientConfig.service.path,
      admissionReviewVersions,
      rules,
      sideEffects: others['sideEffects'],
      matchPolicy: others['matchPolicy'],
      failurePolicy: others['failurePolicy'],
      timeoutSeconds: others['timeoutSeconds'],
    }));
}

function rulesOf(kind: string): unknown {
  const found = readAll('rbac.yaml').find(
    (object) => object.kind === kind && object.metadata.name === 'olm-guard',
  );
  if (found === undefined) throw new Error(`rbac.yaml has no ${kind} olm-guard`);
  return found.rules;
}

const description = `olm-guard judges updates of CustomResourceDefinitions and, on OpenShift, ClusterVersions before they are stored, with the verdicts and texts of OLM. It denies what is proven to harm stored objects. While it cannot be reached, the API server goes on without it.

Installed by OLM it does less than its manifests and its Helm chart do, because a bundle cannot say more: it does not judge OperatorGroups, Subscriptions, InstallPlans, CatalogSources, ClusterServiceVersions and ClusterExtensions (OLM refuses webhooks for its own groups), members of the group olm-guard:break-glass do not pass by it (no match conditions), and \`olm-guard doctor\` and the metric olm_guard_registered look for a registration called olm-guard, which OLM's is not. For these, install the manifests or the chart instead, not beside it.
`;

/** A shield of our own. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><path fill="#1f4e79" d="M32 4 8 13v17c0 15 10 25 24 30 14-5 24-15 24-30V13z"/><path fill="none" stroke="#fff" stroke-width="6" d="m20 32 9 9 16-18"/></svg>';

function clusterServiceVersion({ version, replaces, image }: Release): unknown {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `olm-guard.v${version}`,
      labels: Object.fromEntries(
        ['arch.amd64', 'arch.arm64', 'os.linux'].map((each) => [
          `operatorframework.io/${each}`,
          'supported',
        ]),
      ),
      annotations: {
        capabilities: 'Basic Install',
        categories: 'OpenShift Optional, Security',
        containerImage: image,
        description: packageManifest.description,
      },
    },
    spec: {
      displayName: 'olm-guard',
      description,
      version,
      ...(replaces === undefined ? {} : { replaces: `olm-guard.v${replaces}` }),
      minKubeVersion: '1.30.0',
      maturity: 'alpha',
      keywords: ['olm', 'operators', 'crd', 'admission'],
      provider: { name: 'olm-guard' },
      icon: [{ mediatype: 'image/svg+xml', base64data: Buffer.from(icon).toString('base64') }],
      installModes: [
        ...['OwnNamespace', 'SingleNamespace', 'MultiNamespace'].map((type) => ({
          type,
          supported: false,
        })),
        { type: 'AllNamespaces', supported: true },
      ],
      install: {
        strategy: 'deployment',
        spec: {
          deployments: [
            {
              name: 'olm-guard',
              label: { 'app.kubernetes.io/name': 'olm-guard' },
              spec: deployment(image),
            },
          ],
          permissions: [{ serviceAccountName: 'olm-guard', rules: rulesOf('Role') }],
          clusterPermissions: [{ serviceAccountName: 'olm-guard', rules: rulesOf('ClusterRole') }],
        },
      },
      webhookdefinitions: webhookDefinitions(),
      relatedImages: [{ name: 'olm-guard', image }],
    },
  };
}

function annotations(): unknown {
  const prefix = 'operators.operatorframework.io.bundle';
  return {
    annotations: {
      [`${prefix}.mediatype.v1`]: 'registry+v1',
      [`${prefix}.manifests.v1`]: 'manifests/',
      [`${prefix}.metadata.v1`]: 'metadata/',
      [`${prefix}.package.v1`]: 'olm-guard',
      [`${prefix}.channels.v1`]: 'stable',
      [`${prefix}.channel.default.v1`]: 'stable',
    },
  };
}

/** The text of each file, by its path in the bundle. */
export function bundleFiles(release: Release): Map<string, string> {
  const policy = readFileSync(join(base, 'policy.yaml'), 'utf8');
  const defaults = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'olm-guard-defaults' },
    data: { 'policy.yaml': policy },
  };
  const [disruption] = readAll('poddisruptionbudget.yaml') as unknown as {
    metadata: { namespace?: string };
  }[];
  delete disruption?.metadata.namespace;
  return new Map([
    ['manifests/olm-guard.clusterserviceversion.yaml', yaml(clusterServiceVersion(release))],
    ['manifests/olm-guard-defaults.configmap.yaml', yaml(defaults)],
    ['manifests/olm-guard.poddisruptionbudget.yaml', yaml(disruption)],
    ['metadata/annotations.yaml', yaml(annotations())],
  ]);
}

/** A catalog of these releases, the oldest first, each replacing the one before it. */
export function catalogText(releases: readonly Release[]): string {
  const name = ({ version }: Release): string => `olm-guard.v${version}`;
  const blobs = [
    { schema: 'olm.package', name: 'olm-guard', defaultChannel: 'stable', description },
    {
      schema: 'olm.channel',
      package: 'olm-guard',
      name: 'stable',
      entries: releases.map((release) => ({
        name: name(release),
        ...(release.replaces === undefined ? {} : { replaces: `olm-guard.v${release.replaces}` }),
      })),
    },
    ...releases.map((release) => {
      const { spec, metadata } = clusterServiceVersion(release) as {
        spec: Record<string, unknown>;
        metadata: { annotations: unknown };
      };
      const shown = ['displayName', 'description', 'installModes', 'keywords', 'maturity'];
      const csv = {
        annotations: metadata.annotations,
        ...Object.fromEntries(
          [...shown, 'minKubeVersion', 'provider'].map((field) => [field, spec[field]]),
        ),
      };
      return {
        schema: 'olm.bundle',
        package: 'olm-guard',
        name: name(release),
        image: release.bundleImage,
        relatedImages: [
          { name: 'olm-guard', image: release.image },
          { name: '', image: release.bundleImage },
        ],
        properties: [
          { type: 'olm.package', value: { packageName: 'olm-guard', version: release.version } },
          { type: 'olm.csv.metadata', value: csv },
        ],
      };
    }),
  ];
  return blobs.map((blob) => `---\n${yaml(blob)}`).join('');
}

function clusterExtension(): string {
  return `# By OLM v1, from a ClusterCatalog that offers the catalog beside this file. It takes an operator-controller
# that supports webhooks, with cert-manager or OpenShift's service CA, and a service account, which is
# yours to make, with every right that the bundle asks for.
${yaml({
  apiVersion: 'olm.operatorframework.io/v1',
  kind: 'ClusterExtension',
  metadata: { name: 'olm-guard' },
  spec: {
    namespace: 'olm-guard',
    serviceAccount: { name: 'olm-guard-installer' },
    source: {
      sourceType: 'Catalog',
      catalog: { packageName: 'olm-guard', channels: ['stable'], version: '>=0.1.0 <1.0.0' },
    },
  },
})}`;
}

function yaml(value: unknown): string {
  return dump(value, { lineWidth: -1, noRefs: true });
}

/** The image of a bundle: nothing but its files, and labels that say where they are. */
function containerfile(): string {
  const { annotations: labels } = annotations() as { annotations: Record<string, string> };
  const lines = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${value}`);
  const copies = ['manifests', 'metadata'].map((each) => `COPY ${each} /${each}/`);
  return ['FROM scratch', ...lines, ...copies, ''].join('\n');
}

/** What OLM needs of a release: `docker build FOLDER/bundle` makes the image of the bundle. */
export function olmFiles(folder: string, release: Release): { file: string; text: () => string }[] {
  return [
    ...[...bundleFiles(release)].map(([file, text]) => ({
      file: join(folder, 'bundle', file),
      text: () => text,
    })),
    { file: join(folder, 'bundle', 'Dockerfile'), text: containerfile },
    {
      file: join(folder, 'catalog', 'olm-guard', 'catalog.yaml'),
      text: () => catalogText([release]),
    },
    { file: join(folder, 'clusterextension.yaml'), text: clusterExtension },
  ];
}

if (process.argv[1] === import.meta.filename) {
  const [image, bundleImage, folder] = process.argv.slice(2);
  if (image === undefined || bundleImage === undefined || folder === undefined) {
    console.error('usage: npm run olm -- IMAGE BUNDLE-IMAGE FOLDER');
    process.exit(2);
  }
  for (const { file, text } of olmFiles(folder, { ...ownRelease, image, bundleImage })) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text());
  }
}
