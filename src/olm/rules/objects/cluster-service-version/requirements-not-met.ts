import {
  apiServiceDescriptions,
  crdDescriptions,
  type Csv,
} from '../../../objects/classic-objects.js';
import { flagAt, objectsAt, textAt } from '../../../../text/documents/fields.js';
import { type GrantedRule, isCovered, readPolicyRules } from '../../../objects/roles.js';
import type { OlmView } from '../../../objects/view.js';
import { from } from '../../../../rule/index.js';
import { type Problem, defineCsvRule } from '../rule.js';
import { membershipOf, reviewedCsv } from './csv-review.js';
import { exampleOperator } from '../examples.js';

export const requirementsNotMet = defineCsvRule({
  id: 'RequirementsNotMet',
  severity: 'warning',
  checks:
    'Everything that a ClusterServiceVersion requires is on the cluster: APIs it owns and needs, service accounts, permissions and the Kubernetes version.',
  withoutNames: 'something that it requires is not in the cluster',
  why: 'OLM keeps it Pending until all of it is there. An InstallPlan brings most of it; a ClusterServiceVersion that is created by hand needs it first.',
  otherwise: "one or more requirements couldn't be found",
  instead:
    'Install by a Subscription, or create the CustomResourceDefinitions, service accounts and roles first.',
  source: from.olm(
    'pkg/controller/operators/olm/requirements.go',
    'requirementAndPermissionStatus',
  ),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { kind: CustomResourceDefinition, metadata: { name: cats.example.com }, spec: { versions: [{ name: v1, served: true }] } }`,
    after: exampleOperator({ name: 'dogs.v1', owns: 'dogs' }),
    says: 'CRD is not present: dogs.example.com',
    accepted: exampleOperator(),
  },
  *judge(context) {
    const csv = context.fact(reviewedCsv);
    if (csv === null) return;
    const { view } = context;
    yield* unmetKubernetesVersion(csv, view);
    yield* definitions(csv, view);
    yield* apiServices(csv, view);
    const targets = context.fact(membershipOf)?.group?.statusNamespaces ?? [];
    const scope = targets.length === 1 && targets[0] === '' ? '' : csv.namespace;
    yield* permissions(csv, view, 'permissions', scope);
    yield* permissions(csv, view, 'clusterPermissions', '');
  },
});

export function* unmetKubernetesVersion(csv: Csv | null, view: OlmView): Iterable<Problem> {
  if (csv === null) return;
  const minimum = textAt(csv.object, 'spec', 'minKubeVersion') ?? '';
  if (minimum === '' || view.kubernetesVersion === null) return;
  const [wanted, present] = [numbersOf(minimum), numbersOf(view.kubernetesVersion)];
  const path = '$.spec.minKubeVersion';
  if (wanted === null) {
    yield { message: `CSV version parsing error: minKubeVersion is ${minimum}`, path };
  } else if (present !== null && compareNumbers(wanted, present) > 0) {
    yield {
      message: `CSV version requirement not met: minKubeVersion (${minimum}) > server version (${present.join('.')})`,
      path,
    };
  }
}

function numbersOf(version: string): number[] | null {
  const match = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(version);
  return match === null ? null : match.slice(1).map(Number);
}

function compareNumbers(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((number, i) => number !== right[i]);
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0);
}

function* definitions(csv: Csv, view: OlmView): Iterable<Problem> {
  for (const which of ['owned', 'required'] as const) {
    for (const { name, version } of crdDescriptions(csv.object, which)) {
      const path = `$.spec.customresourcedefinitions.${which}`;
      const crd = view.lookUp('CustomResourceDefinition', name);
      if (crd === null) continue;
      if (crd === undefined) {
        yield { message: `CRD is not present: ${name}`, path, cause: name };
        continue;
      }
      const versions = objectsAt(crd, 'spec', 'versions');
      // A view that holds only metadata of definitions cannot say more.
      if (versions.length === 0) continue;
      const isServed = versions.some(
        (served) => textAt(served, 'name') === version && flagAt(served, 'served'),
      );
      if (!isServed) {
        yield {
          message: `CRD version not served: ${name} ${version}`,
          path,
          cause: `${name} ${version}`,
        };
      }
    }
  }
}

function* apiServices(csv: Csv, view: OlmView): Iterable<Problem> {
  for (const { group, version } of apiServiceDescriptions(csv.object, 'required')) {
    const name = `${version}.${group}`;
    if (view.lookUp('APIService', name) !== undefined) continue;
    const path = '$.spec.apiservicedefinitions.required';
    yield { message: `APIService is not present: ${name}`, path, cause: name };
  }
  const deployments = new Set(
    objectsAt(csv.object, 'spec', 'install', 'spec', 'deployments').map((deployment) =>
      textAt(deployment, 'name'),
    ),
  );
  for (const { group, version, deploymentName } of apiServiceDescriptions(csv.object, 'owned')) {
    if (deployments.has(deploymentName)) continue;
    yield {
      message: `DeploymentNotFound: owned APIService ${version}.${group} names deployment ${deploymentName}, which spec.install does not have`,
      path: '$.spec.apiservicedefinitions.owned',
      cause: `${version}.${group} deployment`,
    };
  }
}

function* permissions(
  csv: Csv,
  view: OlmView,
  field: 'permissions' | 'clusterPermissions',
  scope: string,
): Iterable<Problem> {
  const path = `$.spec.install.spec.${field}`;
  for (const permission of objectsAt(csv.object, 'spec', 'install', 'spec', field)) {
    const account = textAt(permission, 'serviceAccountName') ?? '';
    const found = view.lookUp('ServiceAccount', account, csv.namespace);
    if (found === null) continue;
    if (found === undefined) {
      yield { message: `Service account does not exist: ${account}`, path, cause: account };
      continue;
    }
    const granted = view.rulesOf(account, csv.namespace, scope);
    if (granted === null) continue;
    const lacking = readPolicyRules(permission, 'rules').filter(
      (rule) => !isCovered(rule, granted),
    );
    if (lacking.length === 0) continue;
    yield {
      message: `Policy rule not satisfied for service account ${account}: ${lacking.map(ruleText).join('; ')}`,
      path,
      cause: `${account} ${field}`,
    };
  }
}

function ruleText({ verbs, apiGroups, resources, nonResourceURLs }: GrantedRule): string {
  const groups = apiGroups.map((group) => (group === '' ? 'core' : group));
  const what = [...resources, ...nonResourceURLs].join(',');
  return groups.length === 0
    ? `${verbs.join(',')} ${what}`
    : `${verbs.join(',')} ${what} of ${groups.join(',')}`;
}
