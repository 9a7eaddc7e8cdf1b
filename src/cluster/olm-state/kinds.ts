/** Which resources the gate follows to know the state of OLM, and how much of each it keeps. */
import type { ResourceName } from '../view/view.js';
import type { JsonObject } from '../../text/documents/index.js';
import { type LookedUpKind, lookedUpKinds } from '../../olm/index.js';
import {
  transformBinding,
  transformCsv,
  transformEvent,
  transformInstallPlan,
  transformMetadata,
  transformRequirement,
  withOwners,
  transformRole,
  transformSubscription,
  keepMetadata,
} from './transform.js';

const olm = 'operators.coreos.com';
const rbac = 'rbac.authorization.k8s.io';

export interface FollowedResource {
  readonly kind: string;
  readonly resource: ResourceName;
  readonly apiVersion: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Only the metadata is asked for. */
  readonly metadataOnly?: boolean;
  readonly trim: (object: JsonObject) => JsonObject;
}

/** Kinds whose objects rules, scan and metrics ask for all the time. */
export const followedResources: readonly FollowedResource[] = [
  row('OperatorGroup', olm, 'operatorgroups', 'v1', transformMetadata),
  {
    ...row('ClusterServiceVersion', olm, 'clusterserviceversions', 'v1alpha1', transformCsv),
    labelSelector: '!olm.copiedFrom',
  },
  row('Subscription', olm, 'subscriptions', 'v1alpha1', transformSubscription),
  row('InstallPlan', olm, 'installplans', 'v1alpha1', transformInstallPlan),
  row('CatalogSource', olm, 'catalogsources', 'v1alpha1', transformMetadata),
  row('OperatorCondition', olm, 'operatorconditions', 'v2', transformMetadata),
  row('ClusterExtension', 'olm.operatorframework.io', 'clusterextensions', 'v1', transformMetadata),
  row(
    'CompatibilityRequirement',
    'apiextensions.openshift.io',
    'compatibilityrequirements',
    'v1alpha1',
    transformRequirement,
  ),
  { ...row('Namespace', '', 'namespaces', 'v1', keepMetadata), metadataOnly: true },
  {
    ...row(
      'CustomResourceDefinition',
      'apiextensions.k8s.io',
      'customresourcedefinitions',
      'v1',
      withOwners(keepMetadata),
    ),
    metadataOnly: true,
  },
  row('Role', rbac, 'roles', 'v1', transformRole),
  row('ClusterRole', rbac, 'clusterroles', 'v1', transformRole),
  row('RoleBinding', rbac, 'rolebindings', 'v1', transformBinding),
  row('ClusterRoleBinding', rbac, 'clusterrolebindings', 'v1', transformBinding),
];

/** Events that OLM writes when a step of an InstallPlan met warnings; only the metrics count them. */
export const warningEvents: FollowedResource = {
  ...row('Event', '', 'events', 'v1', transformEvent),
  fieldSelector: 'reason=AppliedWithWarnings',
};

/** Kinds of which a rule asks for single objects; they are read at the moment of the question. */
export const lookedUpResources: Readonly<Record<LookedUpKind, ResourceName>> = {
  APIService: { group: 'apiregistration.k8s.io', resource: 'apiservices' },
  ClusterCatalog: { group: 'olm.operatorframework.io', resource: 'clustercatalogs' },
  ClusterRole: { group: rbac, resource: 'clusterroles' },
  ClusterVersion: { group: 'config.openshift.io', resource: 'clusterversions' },
  ConfigMap: { group: '', resource: 'configmaps' },
  CustomResourceDefinition: {
    group: 'apiextensions.k8s.io',
    resource: 'customresourcedefinitions',
  },
  Namespace: { group: '', resource: 'namespaces' },
  OperatorCondition: { group: olm, resource: 'operatorconditions' },
  PriorityClass: { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
  ServiceAccount: { group: '', resource: 'serviceaccounts' },
};

/** Kinds of single objects of which no list is kept whole. */
export const notFollowedWhole: readonly LookedUpKind[] = lookedUpKinds.filter(
  (kind) => kind !== 'OperatorCondition',
);

function row(
  kind: string,
  group: string,
  resource: string,
  version: string,
  trim: (object: JsonObject) => JsonObject,
): FollowedResource {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return {
    kind,
    resource: { group, resource },
    apiVersion,
    // A list in metadata form says PartialObjectMetadata where the kind belongs.
    trim: (object) => ({ ...trim(object), apiVersion, kind }),
  };
}
