import { objectsAt, textAt } from '../../../text/documents/fields.js';
import { defineRule, from, sources } from '../../../rule/index.js';
import type { Bundle } from './bundle.js';
import type { Finding } from '../../../rule/index.js';
import { placeIn } from './finding.js';

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

export function* checkServiceAccounts({ csv, objects }: Bundle): Generator<Finding> {
  if (csv === undefined) return;
  const { object } = csv.value;
  const install = ['spec', 'install', 'spec'] as const;
  const ofDeployments = new Set(
    objectsAt(object, ...install, 'deployments').map((each) =>
      textAt(each, 'spec', 'template', 'spec', 'serviceAccountName'),
    ),
  );
  const ofPermissions = new Set(
    ['permissions', 'clusterPermissions'].flatMap((field) =>
      objectsAt(object, ...install, field).map((each) => textAt(each, 'serviceAccountName')),
    ),
  );
  for (const account of objects) {
    if (textAt(account.value, 'kind') !== 'ServiceAccount') continue;
    const name = textAt(account.value, 'metadata', 'name') ?? 'default';
    // OLM uses the account default where it is, and makes none.
    const isMade = ofPermissions.has(name) && name !== 'default';
    if (!isMade && !ofDeployments.has(name)) continue;
    const finding = bundleServiceAccount.finding({ id: isMade ? 'made' : 'used', data: { name } });
    yield placeIn(finding, account, 'metadata', 'name');
  }
}
