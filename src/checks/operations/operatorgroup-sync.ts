import type { JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';
import { type GroupSync, readCsv, readOperatorGroup, syncGroup } from '../../olm/index.js';
import { objectAt, objectsAt, textsAt } from '../../text/documents/fields.js';
import { findingNamed } from '../../policy/index.js';
import { readNamespaces } from './group-inputs.js';
import { defineOperation } from './operation.js';
import * as schema from './operatorgroup-schemas.js';

export const operatorgroupSync = defineOperation<JsonObject>({
  name: 'operatorgroup-sync',
  summary:
    'What OLM does when it syncs an OperatorGroup: status, annotations, roles, who recovers.',
  input: {
    type: 'object',
    required: ['operatorGroup'],
    properties: {
      operatorGroup: schema.kubernetesObject,
      otherOperatorGroups: schema.kubernetesObjects,
      clusterServiceVersions: schema.kubernetesObjects,
      namespaces: schema.namespaces,
      serviceAccounts: schema.optionalTexts,
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
    const findings = findingsOf(sync);
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

function findingsOf(sync: GroupSync): Finding[] {
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
