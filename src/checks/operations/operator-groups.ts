/** Operations about OperatorGroups themselves: their targets, roles, conflicts, and syncs by OLM. */
import type { JsonObject } from '../../text/documents/index.js';
import {
  type Namespace,
  readOperatorGroup,
  readLabelSelector,
  selectTargets,
  surfaceTargets,
  targetNamespacesAnnotation,
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
} from '../../olm/index.js';
import {
  objectsAt,
  textAt,
  textMapAt,
  textsAt,
  flagAt,
  objectAt,
} from '../../text/documents/fields.js';
import { findingNamed } from '../../policy/index.js';
import {
  list,
  optionalFlag,
  optionalList,
  optionalText,
  optionalTexts,
  record,
  requiring,
  text,
} from './schemas.js';
import { defineOperation } from './operation.js';
import type { Finding } from '../../rule/index.js';

const optionalLabels = { type: ['object', 'null'], additionalProperties: text } as const;

/** A Kubernetes object, whole: read as an API server reads it. */
export const kubernetesObject = {
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

export const kubernetesObjects = list(kubernetesObject);

const labelSelector = {
  type: ['object', 'null'],
  additionalProperties: true,
  properties: {
    matchLabels: optionalLabels,
    matchExpressions: optionalList({
      type: 'object',
      additionalProperties: true,
      properties: { key: text, operator: text, values: optionalTexts },
    }),
  },
} as const;

export const namespaces = list(requiring(['name'], { name: text, labels: optionalLabels }));

const apis = optionalList(
  record({ group: optionalText, version: optionalText, kind: optionalText, plural: optionalText }),
);

export function readNamespaces(input: JsonObject): Namespace[] {
  return objectsAt(input, 'namespaces').map((namespace) => ({
    name: textAt(namespace, 'name') ?? '',
    labels: textMapAt(namespace, 'labels'),
  }));
}

export const operatorgroupTargets = defineOperation<JsonObject>({
  name: 'operatorgroup-targets',
  summary: 'Which namespaces an OperatorGroup selects, and which it counts for in intersections.',
  quick: true,
  input: requiring(['namespace'], {
    namespace: text,
    namespaces: { ...namespaces, type: ['array', 'null'] },
    spec: {
      type: ['object', 'null'],
      additionalProperties: true,
      properties: { targetNamespaces: optionalTexts, selector: labelSelector },
    },
  }),
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

export const operatorgroupRoles = defineOperation<JsonObject>({
  name: 'operatorgroup-roles',
  summary: 'The ClusterRoles that OLM makes for an OperatorGroup, today and in OpenShift 4.12.',
  quick: true,
  input: requiring(['name', 'namespace'], { name: text, namespace: text, apis }),
  judge(input) {
    const name = textAt(input, 'name') ?? '';
    const roles = groupRoles(name, textAt(input, 'namespace') ?? '', readApis(input, 'apis'));
    return {
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

const group = requiring(['name', 'namespace'], {
  name: text,
  namespace: text,
  statusNamespaces: optionalTexts,
  providedAPIs: optionalText,
  staticProvidedAPIs: optionalFlag,
});

export const operatorgroupIntersection = defineOperation<JsonObject>({
  name: 'operatorgroup-intersection',
  summary: 'What OLM does when groups over the same namespaces provide the same APIs.',
  input: requiring(['csvGroup', 'csv'], {
    csvGroup: group,
    otherGroups: optionalList(group),
    csv: record({
      name: optionalText,
      namespace: optionalText,
      statusReason: optionalText,
      providedAPIs: apis,
    }),
  }),
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
  input: requiring(['operatorGroup'], {
    operatorGroup: kubernetesObject,
    otherOperatorGroups: kubernetesObjects,
    clusterServiceVersions: kubernetesObjects,
    namespaces: namespaces,
    serviceAccounts: optionalTexts,
  }),
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
