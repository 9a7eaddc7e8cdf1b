import { metaOf, type JsonObject, type OwnerReference } from '../../../text/documents/index.js';
import { from, sources } from '../../../rule/index.js';
import { defineScanRule } from './rule.js';

/** Source: operator-controller's appliers; OLM classic sets ClusterServiceVersions, on what is in namespaces. */
const kindsOfOlm: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'olm.operatorframework.io',
    new Set(['ClusterExtension', 'ClusterExtensionRevision', 'ClusterObjectSet']),
  ],
  ['operators.coreos.com', new Set(['ClusterServiceVersion'])],
]);

export function isOwnerOfOlm({ apiVersion, kind }: OwnerReference): boolean {
  return kindsOfOlm.get(apiVersion.split('/')[0] ?? '')?.has(kind) === true;
}

export function foreignOwners(object: JsonObject): OwnerReference[] {
  return metaOf(object).ownerReferences.filter((each) => !isOwnerOfOlm(each));
}

/** Definitions with objects and a foreign owner, which a scan reads for this rule. */
export const ownedInUse = 'CustomResourceDefinition with objects and a foreign owner';

export const definitionOwned = defineScanRule({
  id: 'DefinitionOwned',
  severity: 'info',
  family: 'stored-objects',
  kinds: ['CustomResourceDefinition'],
  source: sources(
    from.kubernetesPages('Garbage Collection'),
    from.kubernetesPages('Owners and Dependents'),
  ),
  checks: 'Definitions with objects whose owner is none that OLM sets.',
  why: 'The garbage collector deletes a definition when its last owner goes, and with it every object. Whoever may delete the owner needs no right to the definition, and the gate is not asked. Crossplane, for one, owns the definitions that it creates.',
  instead: 'Leave it where the owner made the definition; otherwise remove the owner reference.',
  messages: {
    owned: 'is deleted with {owner}, and its stored objects with it; OLM sets no such owner',
  },
  example: {
    before: `
      apiVersion: example.com/v1
      kind: Cat
      metadata: { name: tom, namespace: pets }`,
    after: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: cats.example.com
        ownerReferences: [{ apiVersion: v1, kind: Namespace, name: bait, uid: "1" }]
      spec: { group: example.com, names: { plural: cats, kind: Cat }, scope: Namespaced, versions: [{ name: v1, served: true, storage: true }] }`,
    says: 'is deleted with Namespace bait, and its stored objects with it',
    accepted: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: cats.example.com }
      spec: { group: example.com, names: { plural: cats, kind: Cat }, scope: Namespaced, versions: [{ name: v1, served: true, storage: true }] }`,
  },
  *judge({ objects }) {
    for (const object of objects(ownedInUse)) {
      const owner = foreignOwners(object)
        .map(({ kind, name }) => `${kind} ${name}`)
        .join(' and ');
      yield { object, id: 'owned', data: { owner } };
    }
  },
});
