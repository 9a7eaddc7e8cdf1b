import { numberAt, objectsAt, textAt } from '../../../../text/documents/fields.js';
import { metaOf, type JsonObject } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { defineOlmRule } from '../rule.js';
import { neighbours, reviewedCsv } from './csv-review.js';
import { exampleOperator } from '../example-operator.js';

export const operatorConditionNotUpgradeable = defineOlmRule({
  id: 'OperatorConditionNotUpgradeable',
  subject: 'ClusterServiceVersion',
  family: 'operator-groups',
  severity: 'warning',
  protects: 'own-namespace',
  blocksUpgrade: true,
  checks: 'The version that a ClusterServiceVersion replaces says that it can be upgraded.',
  withoutNames: 'the version that it replaces says that it cannot be upgraded',
  why: 'While the OperatorCondition of the old version says Upgradeable=False, the new one stays Pending. spec.overrides of the OperatorCondition wins over what the operator says. It does not keep the cluster from being updated.',
  otherwise: 'operator is not upgradeable: the operator is not upgradeable: …',
  instead:
    'Let the operator finish, or set an override of condition Upgradeable in spec.overrides of the OperatorCondition.',
  source: sources(
    from.olm('pkg/controller/operators/olm/operatorconditions.go', 'isOperatorUpgradeable'),
    from.openShift('Operator conditions'),
  ),
  messages: {
    notUpgradeable:
      'operator is not upgradeable: {reason} (OperatorCondition {condition}); it will stay Pending',
  },
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
${exampleOperator()}
      ---
      kind: OperatorCondition
      metadata: { name: cats.v1, namespace: pets }
      spec: { conditions: [{ type: Upgradeable, status: 'False', message: migrating }] }`,
    after: exampleOperator({ name: 'cats.v2', more: 'replaces: cats.v1' }),
    says: 'the operator is not upgradeable: migrating (OperatorCondition cats.v1)',
    accepted: exampleOperator({ name: 'dogs.v2', owns: 'dogs', more: 'replaces: dogs.v1' }),
  },
  *judge(context) {
    const csv = context.fact(reviewedCsv);
    if (csv === null || csv.replaces === '') return;
    const isThere = neighbours(csv, context).some((other) => other.name === csv.replaces);
    if (!isThere) return;
    const condition = context.view.lookUp('OperatorCondition', csv.replaces, csv.namespace);
    if (condition === undefined || condition === null) return;
    const reason = heldBack(condition);
    if (reason === null) return;
    yield {
      id: 'notUpgradeable',
      data: { reason, condition: csv.replaces },
      path: '$.spec.replaces',
      fix: `Let the operator finish, or set an override of condition Upgradeable in spec.overrides of OperatorCondition ${csv.replaces}.`,
    };
  },
});

/** Why an OperatorCondition holds the next version back, in OLM's words; null when it does not. */
export function heldBack(condition: JsonObject): string | null {
  const override = upgradeable(condition, 'spec', 'overrides');
  if (override !== undefined) {
    return textAt(override, 'status') === 'True' ? null : notUpgradeable(override);
  }
  const reported = upgradeable(condition, 'status', 'conditions');
  if (reported !== undefined) {
    const isCurrent =
      (numberAt(reported, 'observedGeneration') ?? 0) === metaOf(condition).generation;
    if (!isCurrent) {
      return `the operatorcondition status "Upgradeable"="${textAt(reported, 'status') ?? ''}" is outdated`;
    }
    return textAt(reported, 'status') === 'False' ? notUpgradeable(reported) : null;
  }
  // OLM copies spec.conditions into the status; until then they announce what it will say.
  const announced = upgradeable(condition, 'spec', 'conditions');
  return announced !== undefined && textAt(announced, 'status') === 'False'
    ? notUpgradeable(announced)
    : null;
}

function upgradeable(condition: JsonObject, ...path: string[]): JsonObject | undefined {
  return objectsAt(condition, ...path).find((entry) => textAt(entry, 'type') === 'Upgradeable');
}

function notUpgradeable(entry: JsonObject): string {
  return `the operator is not upgradeable: ${textAt(entry, 'message') ?? ''}`;
}
