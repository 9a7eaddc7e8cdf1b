import { numberAt, objectsAt, textAt } from '../../../../text/documents/fields.js';
import { type JsonObject, metaOf } from '../../../../text/documents/index.js';
import { from, sources } from '../../../../rule/index.js';
import { defineCsvRule } from '../rule.js';
import { neighbours, reviewedCsv } from './csv-review.js';
import { exampleOperator } from '../examples.js';
import type { Csv } from '../../../objects/classic-objects.js';
import { firstNames } from '../../../../text/shortened.js';

export const operatorConditionNotUpgradeable = defineCsvRule({
  id: 'OperatorConditionNotUpgradeable',
  severity: 'warning',
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

export const ownerConflict = defineCsvRule({
  id: 'OwnerConflict',
  severity: 'error',
  protects: 'other-namespaces',
  checks: 'A CustomResourceDefinition has one owner in a namespace.',
  withoutNames: 'another operator in its namespace owns one of its definitions',
  why: 'A second ClusterServiceVersion that owns the same definition fails with OwnerConflict, unless it replaces the first.',
  otherwise: 'conflicting CRD owner in namespace',
  instead:
    'Set spec.replaces when it is the next version; otherwise install it in another namespace.',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'crdOwnerConflicts'),
  example: {
    before: `
      { kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
${exampleOperator()}`,
    after: exampleOperator({ name: 'stranger.v1' }),
    says: 'conflicting CRD owner in namespace: ClusterServiceVersion cats.v1 owns cats.example.com',
    accepted: exampleOperator({ name: 'cats.v2', more: 'replaces: cats.v1' }),
  },
  *judge(context) {
    const csv = context.fact(reviewedCsv);
    if (csv === null) return;
    const others = neighbours(csv, context);
    const chain = replacementChain(csv, others);
    const owned = new Set(csv.ownedCrds.map((crd) => crd.name));
    for (const other of others) {
      if (chain.has(other.name) || other.isBeingDeleted) continue;
      const shared = other.ownedCrds.map((crd) => crd.name).filter((name) => owned.has(name));
      if (shared.length === 0) continue;
      yield {
        message: `conflicting CRD owner in namespace: ClusterServiceVersion ${other.name} owns ${firstNames([...new Set(shared)])}`,
        path: '$.spec.customresourcedefinitions.owned',
        cause: other.name,
        fix: `Set spec.replaces to ${other.name} if this is its next version; otherwise install it in another namespace.`,
      };
    }
  },
});

/** Names that replace each other, forwards and backwards from the one under review. */
function replacementChain(csv: Csv, others: readonly Csv[]): ReadonlySet<string> {
  const chain = new Set([csv.name]);
  const replacers = new Map<string, string>();
  const replaced = new Map<string, string>();
  for (const { name, replaces } of others) {
    if (!replacers.has(replaces)) replacers.set(replaces, name);
    replaced.set(name, replaces);
  }
  const follow = (start: string | undefined, next: ReadonlyMap<string, string>) => {
    for (
      let name = start;
      name !== undefined && name !== '' && !chain.has(name);
      name = next.get(name)
    ) {
      chain.add(name);
    }
  };
  follow(replacers.get(csv.name), replacers);
  follow(csv.replaces, replaced);
  return chain;
}

export const sharedCrdVersions = defineCsvRule({
  id: 'SharedCRDVersions',
  severity: 'warning',
  checks:
    'Operators in several namespaces that own one CustomResourceDefinition have the same version.',
  withoutNames: 'another version of an operator owns one of its definitions',
  why: 'CustomResourceDefinitions are cluster-wide: several versions of an operator can run side by side only if theirs are identical.',
  otherwise:
    'OLM reports no error: two versions of an operator reconcile under one CustomResourceDefinition',
  instead:
    'Install the same version in both namespaces, or one whose CustomResourceDefinition is identical.',
  source: from.openShift('Multitenancy and Operator colocation'),
  messages: {
    shared:
      '{crd} is also owned by another version of an operator: {owners}; only identical CRDs can be shared',
  },
  example: {
    before: exampleOperator({ namespace: 'zoo', more: 'version: 1.0.0' }),
    after: exampleOperator({ name: 'cats.v2', more: 'version: 2.0.0' }),
    says: 'cats.example.com is also owned by another version of an operator: zoo/cats.v1',
    accepted: exampleOperator({ more: 'version: 1.0.0' }),
  },
  *judge(context) {
    const csv = context.fact(reviewedCsv);
    if (csv === null) return;
    for (const crd of csv.ownedCrds) {
      const others = context.view
        .csvsOwningCrd(crd.name)
        .filter((other) => other.namespace !== csv.namespace && other.version !== csv.version);
      if (others.length === 0) continue;
      const owners = others.map((other) => `${other.namespace}/${other.name}`);
      yield {
        id: 'shared',
        data: { crd: crd.name, owners },
        path: '$.spec.customresourcedefinitions.owned',
        cause: crd.name,
      };
    }
  },
});
