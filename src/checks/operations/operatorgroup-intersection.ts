import type { JsonObject } from '../../text/documents/index.js';
import type { Finding } from '../../rule/index.js';
import {
  decideIntersection,
  describeClash,
  type GroupState,
  type IntersectionDecision,
} from '../../olm/index.js';
import { flagAt, objectAt, objectsAt, textAt, textsAt } from '../../text/documents/fields.js';
import { findingNamed } from '../../policy/index.js';
import { defineOperation } from './operation.js';
import { apis, optionalFlag, optionalText, optionalTexts, text } from './operatorgroup-schemas.js';
import { readApis } from './operatorgroup-roles.js';

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
