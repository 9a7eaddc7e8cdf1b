/** Operations about OperatorGroups: their targets, roles and conflicts, and the members that OLM accepts. */
import { type JsonObject, metaOf } from '../../text/documents/index.js';
import {
  type Namespace,
  readOperatorGroup,
  settled,
  readLabelSelector,
  selectTargets,
  surfaceTargets,
  targetNamespacesAnnotation,
  checkInstallModes,
  type Api,
  documentedGroupRoles,
  groupRoles,
  decideIntersection,
  describeClash,
  type GroupState,
  type IntersectionDecision,
  type GroupSync,
  readCsv,
  syncGroup,
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
import {
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
  flagAt,
  objectAt,
} from '../../text/documents/fields.js';
import { findingNamed, ruleNamed } from '../../policy/index.js';
import { defineOperation } from './operation.js';
import type { Finding } from '../../rule/index.js';

const text = { type: 'string' } as const;
const optionalText = { type: ['string', 'null'] } as const;
const optionalFlag = { type: ['boolean', 'null'] } as const;
const optionalTexts = { type: ['array', 'null'], items: text } as const;
const optionalLabels = { type: ['object', 'null'], additionalProperties: text } as const;

/** A Kubernetes object, whole: read as an API server reads it. */
const kubernetesObject = {
  type: 'object',
  additionalProperties: true,
  required: ['metadata'],
  properties: {
    metadata: {
      type: 'object',
      additionalProperties: true,
      required: ['name'],
      properties: {
        name: text,
        namespace: optionalText,
        annotations: optionalLabels,
        labels: optionalLabels,
      },
    },
    spec: { type: ['object', 'null'] },
    status: { type: ['object', 'null'] },
  },
} as const;

const kubernetesObjects = { type: 'array', items: kubernetesObject } as const;

const labelSelector = {
  type: ['object', 'null'],
  additionalProperties: true,
  properties: {
    matchLabels: optionalLabels,
    matchExpressions: {
      type: ['array', 'null'],
      items: {
        type: 'object',
        additionalProperties: true,
        properties: { key: text, operator: text, values: optionalTexts },
      },
    },
  },
} as const;

const namespaces = {
  type: 'array',
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: text, labels: optionalLabels },
  },
} as const;

const apis = {
  type: ['array', 'null'],
  items: {
    type: 'object',
    properties: {
      group: optionalText,
      version: optionalText,
      kind: optionalText,
      plural: optionalText,
    },
  },
} as const;

const installModeList = {
  type: ['array', 'null'],
  items: {
    type: 'object',
    properties: { type: optionalText, supported: optionalFlag },
  },
} as const;

const memberInput = {
  type: 'object',
  required: ['clusterServiceVersion', 'operatorGroups'],
  properties: {
    clusterServiceVersion: kubernetesObject,
    operatorGroups: kubernetesObjects,
    namespaces,
  },
} as const;

function readNamespaces(input: JsonObject): Namespace[] {
  return objectsAt(input, 'namespaces').map((namespace) => ({
    name: textAt(namespace, 'name') ?? '',
    labels: textMapAt(namespace, 'labels'),
  }));
}

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

export const operatorgroupTargets = defineOperation<JsonObject>({
  name: 'operatorgroup-targets',
  summary: 'Which namespaces an OperatorGroup selects, and which it counts for in intersections.',
  quick: true,
  input: {
    type: 'object',
    required: ['namespace'],
    properties: {
      namespace: text,
      namespaces: { ...namespaces, type: ['array', 'null'] },
      spec: {
        type: ['object', 'null'],
        additionalProperties: true,
        properties: { targetNamespaces: optionalTexts, selector: labelSelector },
      },
    },
  },
  judge(input) {
    const selection = {
      targetNamespaces: textsAt(input, 'spec', 'targetNamespaces'),
      selector: readLabelSelector(input, 'spec', 'selector'),
    };
    const targets = selectTargets(selection, readNamespaces(input));
    if (targets.error !== null) {
      return {
        allowed: false,
        findings: [
          findingNamed('OperatorGroupTargets', { severity: 'error', message: targets.error }),
        ],
        output: { error: targets.error },
      };
    }
    const warnings =
      targets.namespaces.length > 0
        ? []
        : [
            'The selector matches no namespace: OLM leaves status.namespaces empty and fails every ' +
              'member with NoTargetNamespaces; this is not the same as selecting all namespaces.',
          ];
    return {
      allowed: true,
      findings: [],
      warnings,
      output: {
        error: null,
        statusNamespaces: targets.namespaces,
        targetNamespacesAnnotation: targetNamespacesAnnotation(targets.namespaces),
        surfaceTargets: surfaceTargets(
          textAt(input, 'namespace') ?? '',
          targets.namespaces,
        ).names(),
        global: targets.namespaces.length === 1 && targets.namespaces[0] === '',
      },
    };
  },
});

export const installModes = defineOperation<JsonObject>({
  name: 'install-modes',
  summary:
    'Whether the install modes of a ClusterServiceVersion support a set of target namespaces.',
  quick: true,
  input: {
    type: 'object',
    required: ['operatorNamespace'],
    properties: {
      installModes: installModeList,
      operatorNamespace: text,
      targets: optionalTexts,
      targetNamespacesAnnotation: optionalText,
    },
  },
  judge(input) {
    const modes = objectsAt(input, 'installModes').map((mode) => ({
      type: textAt(mode, 'type') ?? '',
      supported: flagAt(mode, 'supported'),
    }));
    const targets =
      textAt(input, 'targetNamespacesAnnotation')?.split(',') ?? textsAt(input, 'targets');
    const refusal = checkInstallModes(modes, textAt(input, 'operatorNamespace') ?? '', targets);
    if (refusal === null) return { allowed: true, findings: [], output: { error: null, targets } };
    const { reason, message, stage } = refusal;
    return {
      allowed: false,
      findings: [findingNamed(reason, { severity: 'error', message })],
      output: { error: message, stage, csvReason: reason, targets },
    };
  },
});

export const operatorgroupRoles = defineOperation<JsonObject>({
  name: 'operatorgroup-roles',
  summary: 'The ClusterRoles that OLM makes for an OperatorGroup, today and in OpenShift 4.12.',
  quick: true,
  input: {
    type: 'object',
    required: ['name', 'namespace'],
    properties: { name: text, namespace: text, apis },
  },
  judge(input) {
    const name = textAt(input, 'name') ?? '';
    const roles = groupRoles(name, textAt(input, 'namespace') ?? '', readApis(input, 'apis'));
    return {
      allowed: true,
      findings: [],
      output: {
        operatorGroupClusterRoles: roles.map(({ suffix, name: role, aggregationRule }) => ({
          suffix,
          name: role,
          nameLength: Buffer.byteLength(role),
          aggregationRule,
        })),
        labels: roles[0]?.labels,
        documented: documentedGroupRoles(name),
      },
    };
  },
});

/** APIs of an input; parts left out are empty. */
function readApis(input: JsonObject, ...path: string[]): Api[] {
  return objectsAt(input, ...path).map((api) => ({
    group: textAt(api, 'group') ?? '',
    version: textAt(api, 'version') ?? '',
    kind: textAt(api, 'kind') ?? '',
  }));
}

const group = {
  type: 'object',
  required: ['name', 'namespace'],
  properties: {
    name: text,
    namespace: text,
    statusNamespaces: optionalTexts,
    providedAPIs: optionalText,
    staticProvidedAPIs: optionalFlag,
  },
} as const;

export const operatorgroupIntersection = defineOperation<JsonObject>({
  name: 'operatorgroup-intersection',
  summary: 'What OLM does when groups over the same namespaces provide the same APIs.',
  input: {
    type: 'object',
    required: ['csvGroup', 'csv'],
    properties: {
      csvGroup: group,
      otherGroups: { type: ['array', 'null'], items: group },
      csv: {
        type: 'object',
        properties: {
          name: optionalText,
          namespace: optionalText,
          statusReason: optionalText,
          providedAPIs: apis,
        },
      },
    },
  },
  judge(input) {
    const csv = {
      statusReason: textAt(input, 'csv', 'statusReason') ?? '',
      providedAPIs: readApis(input, 'csv', 'providedAPIs'),
    };
    const decision = decideIntersection(
      readGroup(objectAt(input, 'csvGroup')),
      objectsAt(input, 'otherGroups').map(readGroup),
      csv,
    );
    const fails = decision.action.kind === 'fail';
    return {
      allowed: !fails,
      findings: fails ? findingsOf(decision) : [],
      output: {
        result: decision.result,
        groupTargets: decision.group.targets.names(),
        groupProvidedAPIs: decision.group.providedAPIs.texts(),
        intersectingGroups: decision.intersecting.map((other) => other.identifier),
        clashes: decision.clashes,
        ...actionFields(decision),
      },
    };
  },
});

function readGroup(object: JsonObject | undefined): GroupState {
  return {
    name: textAt(object, 'name') ?? '',
    namespace: textAt(object, 'namespace') ?? '',
    statusNamespaces: textsAt(object, 'statusNamespaces'),
    providedAPIs: textAt(object, 'providedAPIs') ?? null,
    staticProvidedAPIs: flagAt(object, 'staticProvidedAPIs'),
  };
}

function actionFields({ action }: IntersectionDecision): object {
  if (action.kind === 'setAnnotation') {
    return { action: action.kind, annotation: action.annotation };
  }
  if (action.kind !== 'fail') return { action: action.kind };
  return {
    action: action.kind,
    phase: 'Failed',
    reason: action.reason,
    message: action.message,
    cleanupDeployments: true,
  };
}

function findingsOf(decision: IntersectionDecision): Finding[] {
  if (decision.action.kind !== 'fail') return [];
  const { reason, message } = decision.action;
  if (decision.clashes.length === 0) return [findingNamed(reason, { severity: 'error', message })];
  return decision.clashes.map((clash) =>
    findingNamed(reason, {
      severity: 'error',
      message: `${message}: ${describeClash(clash)}`,
      cause: `${clash.group} ${clash.api}`,
    }),
  );
}

export const operatorgroupSync = defineOperation<JsonObject>({
  name: 'operatorgroup-sync',
  summary:
    'What OLM does when it syncs an OperatorGroup: status, annotations, roles, who recovers.',
  input: {
    type: 'object',
    required: ['operatorGroup'],
    properties: {
      operatorGroup: kubernetesObject,
      otherOperatorGroups: kubernetesObjects,
      clusterServiceVersions: kubernetesObjects,
      namespaces: namespaces,
      serviceAccounts: optionalTexts,
    },
  },
  judge(input) {
    const sync = syncGroup({
      group: readOperatorGroup(objectAt(input, 'operatorGroup') ?? {}),
      otherGroups: objectsAt(input, 'otherOperatorGroups').map(readOperatorGroup),
      csvs: objectsAt(input, 'clusterServiceVersions').map(readCsv),
      namespaces: readNamespaces(input),
      serviceAccounts: Array.isArray(input['serviceAccounts'])
        ? new Set(textsAt(input, 'serviceAccounts'))
        : null,
    });
    const findings = syncFindings(sync);
    return {
      allowed: findings.length === 0,
      findings,
      output: {
        error: sync.error,
        conditions: sync.conditions,
        removedConditions: sync.removedConditions,
        statusNamespaces: sync.statusNamespaces,
        statusChanged: sync.statusChanged,
        requeuedNamespaces: sync.requeuedNamespaces,
        annotatedCSVs: sync.annotated.map(({ csv, annotations }) => ({ name: csv, annotations })),
        providedAPIs: sync.pruning,
        requeuedCSVs: sync.requeued,
        clusterRoles: sync.clusterRoles,
      },
    };
  },
});

function syncFindings(sync: GroupSync): Finding[] {
  const findings: Finding[] = sync.conditions.map(({ group, condition }) =>
    findingNamed(condition.reason, {
      severity: 'error',
      message: `${condition.message} (OperatorGroup ${group})`,
    }),
  );
  if (
    sync.error !== null &&
    !sync.conditions.some((set) => set.condition.reason === 'ServiceAccountNotFound')
  ) {
    findings.push(findingNamed('OperatorGroupTargets', { severity: 'error', message: sync.error }));
  }
  return findings;
}

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

export const copiedCsvs = defineOperation<JsonObject>({
  name: 'copied-csvs',
  summary: 'In which namespaces OLM keeps copies of a ClusterServiceVersion, and what they carry.',
  input: {
    type: 'object',
    required: ['clusterServiceVersion', 'operatorGroups', 'namespaces'],
    properties: {
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
    },
  },
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
      allowed: true,
      findings: [],
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
