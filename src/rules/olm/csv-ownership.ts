import type { Csv } from '../../olm/cluster-service-version.js';
import { defineRule } from './rule.js';
import { neighbours, reviewedCsv } from './csv-review.js';
import { namesText } from './group-review.js';
import { from } from '../source.js';

export const ownerConflict = defineRule({
  name: 'OwnerConflict',
  kind: 'ClusterServiceVersion',
  requests: ['CREATE', 'UPDATE'],
  mode: 'deny',
  family: 'operator-groups',
  prevents: 'conflicting CRD owner in namespace',
  source: from.olm('pkg/controller/operators/olm/operator.go', 'crdOwnerConflicts'),
  explain:
    'A CustomResourceDefinition has one owner per namespace: a second ClusterServiceVersion that owns it must replace the first by spec.replaces, or OLM fails it with OwnerConflict.',
  *check(context) {
    const csv = reviewedCsv(context);
    if (csv === null) return;
    const others = neighbours(csv, context);
    const chain = replacementChain(csv, others);
    const owned = new Set(csv.ownedCrds.map((crd) => crd.name));
    for (const other of others) {
      if (chain.has(other.name) || other.isBeingDeleted) continue;
      const shared = other.ownedCrds.map((crd) => crd.name).filter((name) => owned.has(name));
      if (shared.length === 0) continue;
      yield {
        message: `conflicting CRD owner in namespace: ClusterServiceVersion ${other.name} owns ${namesText([...new Set(shared)])}`,
        path: '$.spec.customresourcedefinitions.owned',
        cause: other.name,
        fix: `Set spec.replaces to ${other.name} if this is its next version.`,
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

export const sharedCrd = defineRule({
  name: 'SharedCRDVersions',
  kind: 'ClusterServiceVersion',
  requests: ['CREATE', 'UPDATE'],
  mode: 'warn',
  family: 'operator-groups',
  prevents:
    'nothing is said: two versions of an operator reconcile under one CustomResourceDefinition',
  source: from.openShift('Multitenancy and Operator colocation'),
  explain:
    'CustomResourceDefinitions are cluster-wide: several versions of an operator can run side by side only if theirs are identical. ' +
    'Compare the definitions of both versions, or keep both at one version.',
  *check(context) {
    const csv = reviewedCsv(context);
    if (csv === null) return;
    for (const crd of csv.ownedCrds) {
      const others = context.view
        .csvsOwningCrd(crd.name)
        .filter((other) => other.namespace !== csv.namespace && other.version !== csv.version);
      if (others.length === 0) continue;
      const owners = others.map((other) => `${other.namespace}/${other.name}`);
      yield {
        message: `${crd.name} is also owned by another version of an operator: ${namesText(owners)}; only identical CRDs can be shared`,
        path: '$.spec.customresourcedefinitions.owned',
        cause: crd.name,
      };
    }
  },
});
