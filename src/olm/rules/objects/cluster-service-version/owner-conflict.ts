import type { Csv } from '../../../objects/cluster-service-version.js';
import { from } from '../../../../rule/index.js';
import { firstNames } from '../../../../text/shortened.js';
import { defineOlmRule } from '../rule.js';
import { neighbours, reviewedCsv } from './csv-review.js';
import { exampleOperator } from '../example-operator.js';

export const ownerConflict = defineOlmRule({
  id: 'OwnerConflict',
  subject: 'ClusterServiceVersion',
  family: 'operator-groups',
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
