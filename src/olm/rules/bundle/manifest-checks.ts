import { objectsAt, textAt } from '../../../text/documents/fields.js';
import { defineRule, type Finding, from, sources } from '../../../rule/index.js';
import { type Bundle, locate, placeIn, v1beta1 } from './bundle.js';
import { apiKind, isDeprecated, isGone, lifecycleText } from '../../objects/kubernetes-apis.js';
import { documents, exampleCrd, exampleCsv, ownsCats } from './example-bundle.js';

const accountOfPods = ['spec', 'template', 'spec', 'serviceAccountName'] as const;

const withItsAccount = `
      kind: ClusterServiceVersion
      apiVersion: operators.coreos.com/v1alpha1
      metadata: { name: cats.v1.0.0 }
      spec:
        version: 1.0.0
        installModes: [{ type: AllNamespaces, supported: true }]
        install:
          spec:
            deployments:
              - name: cats
                spec: { template: { spec: { serviceAccountName: cats } } }`;

export const bundleServiceAccount = defineRule({
  id: 'BundleServiceAccount',
  family: 'catalogs',
  subject: 'bundle',
  severity: 'error',
  checks:
    'A bundle brings no ServiceAccount that its ClusterServiceVersion names for permissions or for a deployment.',
  why: 'OLM makes the service accounts of a ClusterServiceVersion by itself. One of the same name among the manifests is then written and deleted by both, and an upgrade may take it away from the running operator.',
  otherwise:
    'operator-sdk bundle validate: invalid service account found in bundle. This service account … in your bundle is not valid',
  instead: 'Remove the ServiceAccount from the manifests, or give it a name of its own.',
  source: sources(
    from.olmApi('pkg/validation/internal/bundle.go', 'validateServiceAccounts'),
    from.olm('pkg/controller/registry/resolver/steps.go', 'NewServiceAccountStepResources'),
    from.operatorController(
      'internal/operator-controller/rukpak/render/registryv1/generators/generators.go',
      'BundleCSVServiceAccountGenerator',
    ),
  ),
  messages: {
    used: 'the service account {name} is in the manifests, and the ClusterServiceVersion has one of that name',
    made: 'the service account {name} is in the manifests, and the ClusterServiceVersion has one of that name: OLM classic plans it once for the manifest and once for the permissions, OLM v1 renders it twice',
  },
  example: {
    after: `${withItsAccount}
      ---
      kind: ServiceAccount
      apiVersion: v1
      metadata: { name: cats }
    `,
    says: 'the service account cats is in the manifests, and the ClusterServiceVersion has one of that name',
    accepted: withItsAccount,
  },
});

export const deploymentServiceAccount = defineRule({
  id: 'DeploymentServiceAccount',
  family: 'catalogs',
  subject: 'bundle',
  severity: 'warning',
  checks:
    'A deployment of a ClusterServiceVersion runs as a service account that its permissions name, or that is there in every namespace.',
  why: 'OLM makes the service accounts of permissions and clusterPermissions alone. Without the account there are no pods, and the ClusterServiceVersion ends in phase Failed.',
  otherwise: 'Error creating: pods "…" is forbidden: error looking up service account …: not found',
  instead: 'Name the account in permissions or clusterPermissions, or leave it out for default.',
  source: sources(
    from.olmPages('Building a Cluster Service Version'),
    from.olm('pkg/controller/registry/resolver/rbac.go', 'RBACForClusterServiceVersion'),
  ),
  messages: {
    unmade:
      'deployment {deployment} runs as service account {name}, which neither permissions nor clusterPermissions name: OLM does not make it',
  },
  example: {
    after: withItsAccount,
    says: 'deployment cats runs as service account cats',
    accepted: withItsAccount.replace(
      'deployments:',
      `permissions: [{ serviceAccountName: cats, rules: [] }]
            deployments:`,
    ),
  },
});

export function* checkServiceAccounts({ csv, objects }: Bundle): Generator<Finding> {
  if (csv === undefined) return;
  const { object } = csv.value;
  const install = ['spec', 'install', 'spec'] as const;
  const deployments = objectsAt(object, ...install, 'deployments');
  const ofDeployments = deployments.map((each) => textAt(each, ...accountOfPods));
  const ofPermissions = new Set(
    ['permissions', 'clusterPermissions'].flatMap((field) =>
      objectsAt(object, ...install, field).map((each) => textAt(each, 'serviceAccountName')),
    ),
  );
  const brought = new Set<string>();
  for (const account of objects) {
    if (textAt(account.value, 'kind') !== 'ServiceAccount') continue;
    const name = textAt(account.value, 'metadata', 'name') ?? 'default';
    brought.add(name);
    // OLM uses the account default where it is, and makes none.
    const isMade = ofPermissions.has(name) && name !== 'default';
    if (!isMade && !ofDeployments.includes(name)) continue;
    const finding = bundleServiceAccount.finding({ id: isMade ? 'made' : 'used', data: { name } });
    yield placeIn(finding, account, 'metadata', 'name');
  }
  for (const [index, name = ''] of ofDeployments.entries()) {
    if (['', 'default'].includes(name) || ofPermissions.has(name) || brought.has(name)) continue;
    const deployment = textAt(deployments[index], 'name') ?? '';
    const data = { deployment, name };
    const finding = deploymentServiceAccount.finding({ id: 'unmade', data });
    yield locate(finding, csv, ...install, 'deployments', index, ...accountOfPods);
  }
}

const budget = (apiVersion: string): string =>
  documents(
    exampleCsv(),
    `{ apiVersion: ${apiVersion}, kind: PodDisruptionBudget, metadata: { name: cats } }`,
  );

export const removedApi = defineRule({
  id: 'RemovedApi',
  family: 'catalogs',
  subject: 'bundle',
  severity: 'warning',
  checks:
    'The manifests of a bundle use API versions that Kubernetes still serves. What is deprecated only is a note.',
  why: 'On a cluster whose Kubernetes no longer serves the version, OLM cannot create the object: the InstallPlan fails, or the operator breaks at the cluster’s next update.',
  otherwise: 'no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"',
  instead: 'Write the version that the finding names; kubectl convert rewrites a manifest.',
  source: sources(
    from.kubernetesPages('Deprecated API Migration Guide'),
    from.openShift('Update paths'),
  ),
  messages: { removed: '{kind} of {apiVersion} {lifecycle}' },
  example: {
    after: budget('policy/v1beta1'),
    says: 'PodDisruptionBudget of policy/v1beta1 is gone since Kubernetes 1.25; use policy/v1 PodDisruptionBudget',
    accepted: budget('policy/v1'),
  },
});

export function* checkRemovedApis({ objects }: Bundle): Generator<Finding> {
  for (const part of objects) {
    const apiVersion = textAt(part.value, 'apiVersion') ?? '';
    const kind = textAt(part.value, 'kind') ?? '';
    const api = apiKind(apiVersion, kind);
    // A definition of v1beta1 is an error, and a rule of its own.
    if (api === undefined || !isDeprecated(api) || apiVersion === v1beta1) continue;
    const removed = removedApi.finding({
      id: 'removed',
      data: { kind, apiVersion, lifecycle: lifecycleText(api) },
      severity: isGone(api) ? 'warning' : 'info',
      path: '$.apiVersion',
    });
    yield placeIn(removed, part, 'apiVersion');
  }
}

const owner = exampleCsv({ owned: ownsCats });

export const unservedDefinition = defineRule({
  id: 'UnservedDefinition',
  family: 'catalogs',
  subject: 'bundle',
  severity: 'error',
  checks: 'The definitions of a bundle are written in apiextensions.k8s.io/v1.',
  why: 'No API server has served v1beta1 since Kubernetes 1.22. OLM classic creates the definition in the version of its manifest, so the InstallPlan fails; OLM v1 applies it as it is, and is refused too.',
  otherwise: 'the server could not find the requested resource',
  instead:
    'Convert the definition to apiextensions.k8s.io/v1: each version needs a schema, and spec.preserveUnknownFields must be false.',
  source: sources(
    from.olm('pkg/controller/operators/catalog/step.go', 'NewCRDV1Beta1Step'),
    from.kubernetesPages('Deprecated API Migration Guide'),
  ),
  messages: {
    unserved:
      'CustomResourceDefinition {definition} is written in {apiVersion}: OLM classic\'s InstallPlan fails with "the server could not find the requested resource", OLM v1 with "no matches for kind"; its schema is not judged',
  },
  example: {
    after: documents(owner, exampleCrd().replace('k8s.io/v1,', 'k8s.io/v1beta1,')),
    says: 'CustomResourceDefinition cats.example.com is written in apiextensions.k8s.io/v1beta1',
    accepted: documents(owner, exampleCrd()),
  },
});

export function* checkServedDefinitions({ definitions }: Bundle): Generator<Finding> {
  for (const part of definitions) {
    if (textAt(part.value, 'apiVersion') !== v1beta1) continue;
    const data = { definition: textAt(part.value, 'metadata', 'name') ?? '', apiVersion: v1beta1 };
    yield locate(unservedDefinition.finding({ id: 'unserved', data }), part, 'apiVersion');
  }
}
