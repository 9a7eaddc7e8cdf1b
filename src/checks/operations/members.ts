/** Operations about the members of OperatorGroups: whom OLM accepts, with which install modes, roles and copies. */
import { type JsonObject, metaOf } from '../../text/documents/index.js';
import {
  readOperatorGroup,
  settled,
  checkInstallModes,
  describeClash,
  readCsv,
  apiRoles,
  documentedApiRoles,
  grantPermissions,
  judgeMembership,
  type OwnedRole,
  type Copy,
  judgeCopies,
  type Membership,
  recoveryOf,
} from '../../olm/index.js';
import { objectsAt, textAt, textsAt, flagAt, objectAt } from '../../text/documents/fields.js';
import { findingNamed, ruleNamed } from '../../policy/index.js';
import {
  optionalFlag,
  optionalList,
  optionalText,
  optionalTexts,
  record,
  requiring,
  text,
} from './schemas.js';
import { defineOperation } from './operation.js';
import {
  kubernetesObject,
  kubernetesObjects,
  namespaces,
  readNamespaces,
} from './operator-groups.js';

const installModeList = optionalList(record({ type: optionalText, supported: optionalFlag }));

const memberInput = requiring(['clusterServiceVersion', 'operatorGroups'], {
  clusterServiceVersion: kubernetesObject,
  operatorGroups: kubernetesObjects,
  namespaces,
});

/** Where the input lists `namespaces`, each group is as its next sync leaves it; else by its status. */
function readMember(input: JsonObject) {
  const csv = readCsv(objectAt(input, 'clusterServiceVersion') ?? {});
  const namespaces = readNamespaces(input);
  const read = objectsAt(input, 'operatorGroups').map(readOperatorGroup);
  const isListed = Object.hasOwn(input, 'namespaces');
  const groups = isListed ? read.map((group) => settled(group, namespaces)) : read;
  return {
    csv,
    groupsInNamespace: groups.filter((group) => group.namespace === csv.namespace),
    otherGroups: groups.filter((group) => group.namespace !== csv.namespace),
    namespaces,
  };
}

export const installModes = defineOperation<JsonObject>({
  name: 'install-modes',
  summary:
    'Whether the install modes of a ClusterServiceVersion support a set of target namespaces.',
  quick: true,
  input: requiring(['operatorNamespace'], {
    installModes: installModeList,
    operatorNamespace: text,
    targets: optionalTexts,
    targetNamespacesAnnotation: optionalText,
  }),
  judge(input) {
    const modes = objectsAt(input, 'installModes').map((mode) => ({
      type: textAt(mode, 'type') ?? '',
      supported: flagAt(mode, 'supported'),
    }));
    const targets =
      textAt(input, 'targetNamespacesAnnotation')?.split(',') ?? textsAt(input, 'targets');
    const refusal = checkInstallModes(modes, textAt(input, 'operatorNamespace') ?? '', targets);
    if (refusal === null) return { output: { error: null, targets } };
    const { reason, message, stage } = refusal;
    return {
      allowed: false,
      findings: [findingNamed(reason, { severity: 'error', message })],
      output: { error: message, stage, csvReason: reason, targets },
    };
  },
});

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
    const member = readMember(input);
    const { csv } = member;
    const membership = judgeMembership(member);
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

export const copiedCsvs = defineOperation<JsonObject>({
  name: 'copied-csvs',
  summary: 'In which namespaces OLM keeps copies of a ClusterServiceVersion, and what they carry.',
  input: requiring(['clusterServiceVersion', 'operatorGroups', 'namespaces'], {
    clusterServiceVersion: kubernetesObject,
    operatorGroups: kubernetesObjects,
    namespaces: namespaces,
    disableCopiedCSVs: optionalFlag,
    olmConfig: {
      ...kubernetesObject,
      description: 'The OLMConfig cluster, whose features.disableCopiedCSVs counts too.',
    },
    protectedNamespaces: optionalTexts,
    existing: kubernetesObjects,
  }),
  judge(input) {
    const copies = judgeCopies({
      ...readMember(input),
      disableCopiedCSVs:
        flagAt(input, 'disableCopiedCSVs') ||
        flagAt(input, 'olmConfig', 'spec', 'features', 'disableCopiedCSVs'),
      protectedNamespaces: textsAt(input, 'protectedNamespaces'),
      existing: objectsAt(input, 'existing').map(readCsv),
    });
    return {
      output: {
        copies: copies.copies.map(objectOf),
        deleted: copies.deleted,
        explanation: copies.explanation,
      },
    };
  },
});

function objectOf({ name, namespace, annotations, labels, status }: Copy): object {
  return {
    metadata: {
      name,
      namespace,
      annotations: Object.fromEntries(annotations),
      labels: Object.fromEntries(labels),
    },
    status,
  };
}

export const membership = defineOperation<JsonObject>({
  name: 'membership',
  summary: 'Whether a ClusterServiceVersion is a member of its OperatorGroup, and if not, why.',
  input: memberInput,
  judge(input) {
    const member = readMember(input);
    const result = judgeMembership(member);
    const failed = result.state === 'failed';
    // The reason of a status that stays as it is may be any text that a client wrote there.
    const reason = result.reason ?? '';
    const rule = ruleNamed(reason) === undefined ? 'OperatorGroupMembership' : reason;
    return {
      allowed: !failed,
      findings: failed ? [findingNamed(rule, { severity: 'error', message: result.message })] : [],
      output: {
        member: result.member,
        state: result.state,
        operatorGroup: result.group?.name,
        phase: failed ? 'Failed' : undefined,
        reason: result.reason,
        message: result.message,
        annotations: Object.fromEntries(result.annotations),
        clashes: result.intersection?.clashes ?? [],
        recovery: recoveryOf(member.csv, result),
        explanation: explain(result),
      },
    };
  },
});

function explain(result: Membership): string[] {
  const clashes = (result.intersection?.clashes ?? []).map(describeClash);
  if (result.member || result.group === null) return clashes;
  return [
    'A member needs both: to be in the namespace of the group and to support its target namespaces. ' +
      'OpenShift’s documentation says that either suffices; OLM wants both.',
    ...clashes,
  ];
}
