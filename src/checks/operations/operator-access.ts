import { type JsonObject, metaOf } from '../../text/documents/index.js';
import {
  apiRoles,
  documentedApiRoles,
  grantPermissions,
  judgeMembership,
  type OwnedRole,
  readCsv,
} from '../../olm/index.js';
import { objectAt, objectsAt, textAt } from '../../text/documents/fields.js';
import { readGroups, readNamespaces, splitGroups } from './group-inputs.js';
import { defineOperation } from './operation.js';
import { kubernetesObjects, memberInput } from './operatorgroup-schemas.js';

export const operatorAccess = defineOperation<JsonObject>({
  name: 'operator-access',
  summary: 'Which ClusterRoles an operator brings for its APIs, and how far its own rights reach.',
  input: {
    ...memberInput,
    properties: {
      ...memberInput.properties,
      /** Roles and RoleBindings that OLM made in the operator's namespace. */
      roles: kubernetesObjects,
      roleBindings: kubernetesObjects,
    },
  },
  judge(input) {
    const csv = readCsv(objectAt(input, 'clusterServiceVersion') ?? {});
    const membership = judgeMembership({
      csv,
      ...splitGroups(readGroups(input, 'operatorGroups'), csv.namespace),
      namespaces: readNamespaces(input),
    });
    const isMember = membership.member && membership.state !== 'failed';
    const group = isMember ? membership.group : null;
    const { error, roles } = apiRoles(csv.ownedCrds, csv.ownedApiServices);
    const grants = grantPermissions<JsonObject>(
      csv,
      group,
      objectsAt(csv.object, 'spec', 'install', 'spec', 'permissions').map((permission) => ({
        serviceAccountName: textAt(permission, 'serviceAccountName') ?? '',
        rules: objectsAt(permission, 'rules'),
      })),
      [...ownedRoles(input, 'roles', 'Role'), ...ownedRoles(input, 'roleBindings', 'RoleBinding')],
    );
    // As documented these roles are for operators of all namespaces only; OLM makes them for all.
    const documented =
      group !== null && grants.scope === 'cluster'
        ? documentedApiRoles(group.name, csv.ownedCrds, csv.ownedApiServices)
        : [];
    return {
      allowed: true,
      findings: [],
      warnings: error === null ? [] : [error],
      output: {
        active: isMember,
        reason: membership.reason,
        apiClusterRoles: isMember ? roles : [],
        documentedApiClusterRoles: documented,
        error,
        grants,
      },
    };
  },
});

function ownedRoles(
  input: JsonObject,
  field: string,
  kind: OwnedRole<JsonObject>['kind'],
): OwnedRole<JsonObject>[] {
  return objectsAt(input, field).map((role) => ({
    kind,
    name: metaOf(role).name,
    labels: Object.fromEntries(metaOf(role).labels),
    rules: objectsAt(role, 'rules'),
  }));
}
