import {
  aggregationLabel,
  documentedAggregationLabel,
  roleSuffixes,
  type LabelMap,
  type RoleSuffix,
} from './group-roles.js';
import type { CrdReference } from '../resolver/namespace.js';
import type { OwnedApiService } from './objects.js';

interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** A ClusterRole for users of one API that an operator provides. */
export interface ApiRole {
  readonly name: string;
  readonly labels: LabelMap;
  readonly rules: readonly PolicyRule[];
  /** The CustomResourceDefinition or APIService it is deleted with: not the ClusterServiceVersion. */
  readonly owner: { readonly kind: string; readonly name: string };
}

const verbs: Readonly<Record<RoleSuffix, readonly string[]>> = {
  admin: ['*'],
  edit: ['create', 'update', 'patch', 'delete'],
  view: ['get', 'list', 'watch'],
};

/** Source: OLM ensureClusterRolesForCSV. @returns `error` for a definition's name without a dot */
export function apiRoles(
  crds: readonly CrdReference[],
  services: readonly OwnedApiService[],
): { readonly error: string | null; readonly roles: readonly ApiRole[] } {
  const roles: ApiRole[] = [];
  for (const crd of crds) {
    const resource = resourceOf(crd);
    if (resource === null) {
      return { error: `invalid parsing of name '${crd.name}', got [${crd.name}]`, roles };
    }
    const { plural, group } = resource;
    const api = { group, version: crd.version, kind: crd.kind };
    const owner = { kind: 'CustomResourceDefinition', name: crd.name };
    const make = (name: string, suffix: RoleSuffix, rule: PolicyRule) => {
      const labels = todaysLabels(aggregationLabel(api, suffix), suffix);
      roles.push({ name: `${crd.name}-${crd.version}-${name}`, labels, rules: [rule], owner });
    };
    for (const suffix of roleSuffixes) make(suffix, suffix, resourceRule(suffix, group, plural));
    make('crdview', 'view', crdRule(crd.name));
  }
  for (const { name, group, version, kind } of services) {
    const owner = { kind: 'APIService', name: `${version}.${group}` };
    for (const suffix of roleSuffixes) {
      const labels = todaysLabels(aggregationLabel({ group, version, kind }, suffix), suffix);
      const rules = [resourceRule(suffix, group, name)];
      roles.push({ name: `${name}-${version}-${suffix}`, labels, rules, owner });
    }
  }
  return { error: null, roles };
}

/** Tables 2.5 and 2.6 of OpenShift 4.12: other names, and labels that name the group. */
export function documentedApiRoles(
  groupName: string,
  crds: readonly CrdReference[],
  services: readonly OwnedApiService[],
): ApiRole[] {
  const roles: ApiRole[] = [];
  const make = (
    prefix: string,
    name: string,
    suffix: RoleSuffix,
    rule: PolicyRule,
    owner: ApiRole['owner'],
  ) => {
    const labels = {
      [`rbac.authorization.k8s.io/aggregate-to-${suffix}`]: 'true',
      ...documentedAggregationLabel(groupName, suffix),
    };
    roles.push({ name: `${prefix}-${name}`, labels, rules: [rule], owner });
  };
  for (const crd of crds) {
    const resource = resourceOf(crd);
    if (resource === null) continue;
    const prefix = `${crd.kind}.${resource.group}-${crd.version}`;
    const owner = { kind: 'CustomResourceDefinition', name: crd.name };
    for (const suffix of roleSuffixes) {
      make(prefix, suffix, suffix, resourceRule(suffix, resource.group, resource.plural), owner);
    }
    make(prefix, 'view-crdview', 'view', crdRule(crd.name), owner);
  }
  for (const { name, group, version, kind } of services) {
    const owner = { kind: 'APIService', name: `${version}.${group}` };
    for (const suffix of roleSuffixes) {
      make(`${kind}.${group}-${version}`, suffix, suffix, resourceRule(suffix, group, name), owner);
    }
  }
  return roles;
}

function resourceOf(crd: CrdReference): { plural: string; group: string } | null {
  const dot = crd.name.indexOf('.');
  if (dot < 0) return null;
  return { plural: crd.name.slice(0, dot), group: crd.name.slice(dot + 1) };
}

function todaysLabels(hashLabel: string, suffix: RoleSuffix): LabelMap {
  return {
    'olm.managed': 'true',
    [hashLabel]: 'true',
    [`rbac.authorization.k8s.io/aggregate-to-${suffix}`]: 'true',
  };
}

function resourceRule(suffix: RoleSuffix, group: string, resource: string): PolicyRule {
  return { verbs: verbs[suffix], apiGroups: [group], resources: [resource] };
}

function crdRule(name: string): PolicyRule {
  return {
    verbs: ['get'],
    apiGroups: ['apiextensions.k8s.io'],
    resources: ['customresourcedefinitions'],
    resourceNames: [name],
  };
}
