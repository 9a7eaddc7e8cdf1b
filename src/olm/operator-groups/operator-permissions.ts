import type { LabelMap } from './group-roles.js';
import { type ClusterServiceVersion, copiedFromLabel, type OperatorGroup } from './objects.js';
import { allNamespaces } from './surface.js';

export interface Permission<Rule> {
  readonly serviceAccountName: string;
  readonly rules: readonly Rule[];
}

/** The operator's own Role or RoleBinding in its namespace; names are OLM's, with a hash. */
export interface OwnedRole<Rule> {
  readonly kind: 'Role' | 'RoleBinding';
  readonly name: string;
  readonly labels: LabelMap;
  readonly rules: readonly Rule[];
}

interface GrantedRole<Rule> {
  readonly kind: 'ClusterRole' | 'ClusterRoleBinding' | 'Role' | 'RoleBinding';
  readonly name: string;
  readonly namespace: string | null;
  readonly labels: LabelMap;
  readonly rules: readonly (Rule | NamespacesRule)[];
}

interface NamespacesRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
}

export interface Grants<Rule> {
  /** Where the operator's namespaced permissions hold. */
  readonly scope: 'own-namespace' | 'target-namespaces' | 'cluster' | 'none';
  readonly namespaces: readonly string[];
  readonly permissions: readonly Permission<Rule>[];
  readonly roles: readonly GrantedRole<Rule>[];
}

const namespacesRule: NamespacesRule = {
  verbs: ['get', 'list', 'watch'],
  apiGroups: [''],
  resources: ['namespaces'],
};

/**
 * How far the namespaced permissions of an operator reach. A global group lifts its Roles and
 * RoleBindings to cluster scope under the same names and adds a look at namespaces; any other group
 * copies them into each target namespace but the operator's own. Without a settled group there is
 * nothing to grant. Source: OLM ensureSingletonRBAC, ensureTenantRBAC.
 *
 * @param group the group as settled, or null when the operator is not an active member
 */
export function grantPermissions<Rule>(
  csv: ClusterServiceVersion,
  group: OperatorGroup | null,
  permissions: readonly Permission<Rule>[],
  ownedRoles: readonly OwnedRole<Rule>[],
): Grants<Rule> {
  const targets = group?.statusNamespaces ?? [];
  if (targets.length === 0) return { scope: 'none', namespaces: [], permissions, roles: [] };
  if (targets.length === 1 && targets[0] === allNamespaces) {
    const roles = ownedRoles.map(lifted);
    return { scope: 'cluster', namespaces: [allNamespaces], permissions, roles };
  }
  const others = targets.filter((namespace) => namespace !== csv.namespace);
  return {
    scope: others.length === 0 ? 'own-namespace' : 'target-namespaces',
    namespaces: targets,
    permissions,
    roles: others.flatMap((namespace) => ownedRoles.map((role) => copied(role, csv, namespace))),
  };
}

function lifted<Rule>(role: OwnedRole<Rule>): GrantedRole<Rule> {
  const isRole = role.kind === 'Role';
  return {
    kind: isRole ? 'ClusterRole' : 'ClusterRoleBinding',
    name: role.name,
    namespace: null,
    labels: role.labels,
    rules: isRole ? [...role.rules, namespacesRule] : [],
  };
}

function copied<Rule>(
  role: OwnedRole<Rule>,
  csv: ClusterServiceVersion,
  namespace: string,
): GrantedRole<Rule> {
  return {
    kind: role.kind,
    name: role.name,
    namespace,
    labels: {
      ...role.labels,
      [copiedFromLabel]: csv.namespace,
      'olm.managed': 'true',
      // The owner is the copy of the ClusterServiceVersion, hence the target's namespace.
      'olm.owner': csv.name,
      'olm.owner.kind': 'ClusterServiceVersion',
      'olm.owner.namespace': namespace,
    },
    rules: role.rules,
  };
}
