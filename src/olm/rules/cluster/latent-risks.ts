import { from, sources } from '../../../rule/index.js';
import { defineScanRule } from './rule.js';
import { type JsonObject, metaOf, type OwnerReference } from '../../../text/documents/index.js';
import { firstNames } from '../../../text/shortened.js';
import { readOperatorGroup } from '../../objects/classic-objects.js';
import { withStatus } from '../../operator-groups/objects.js';
import { groupSurface } from '../../operator-groups/surface.js';

export const targetNamespacesOverlap = defineScanRule({
  id: 'TargetNamespacesOverlap',
  severity: 'info',
  family: 'operator-groups',
  kinds: ['OperatorGroup'],
  otherwise: 'intersecting operatorgroups provide the same apis',
  source: from.olm(
    'pkg/controller/operators/olm/groups.go',
    'GroupIntersection',
    'ReconcileAPIIntersection',
  ),
  checks: 'OperatorGroups that target a common namespace; their own namespaces count.',
  why: 'That is allowed as long as they provide different APIs: an operator of one whose API another provides cannot be installed.',
  instead: 'Choose targets that share no namespace.',
  messages: { overlap: 'shares target namespaces with {names}' },
  example: {
    after: `
      { apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo, pets] }, status: { namespaces: [zoo, pets] } }`,
    says: 'shares target namespaces with zoo/zoo',
    accepted: `
      { apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: { name: pets, namespace: pets }, spec: { targetNamespaces: [pets] }, status: { namespaces: [pets] } }
      ---
      { apiVersion: operators.coreos.com/v1, kind: OperatorGroup, metadata: { name: zoo, namespace: zoo }, spec: { targetNamespaces: [zoo] }, status: { namespaces: [zoo] } }`,
  },
  *judge({ view, objects }) {
    for (const object of objects('OperatorGroup')) {
      const { identifier, targets } = groupSurface(
        withStatus(readOperatorGroup(object), view.namespaces()),
      );
      if (targets.isEmpty) continue;
      const others = view
        .groupsCovering(targets.names())
        .map((group) => groupSurface(withStatus(group, view.namespaces())))
        .filter(
          (other) =>
            other.identifier !== identifier && !targets.intersection(other.targets).isEmpty,
        );
      if (others.length === 0) continue;
      const names = others.map((other) => other.identifier.split('/').reverse().join('/')).sort();
      yield { object, id: 'overlap', data: { names } };
    }
  },
});

const switchable = [
  'CustomResourceDefinition',
  'ClusterExtension',
  'Subscription',
  'ClusterServiceVersion',
];

export const bypassInForce = defineScanRule({
  id: 'BypassInForce',
  severity: 'info',
  family: 'operator-groups',
  kinds: switchable,
  otherwise: 'nothing is said: what is switched off is not denied',
  source: from.us('docs/operations.md'),
  checks: 'Annotations and fields that switch checks off for an object.',
  why: 'What is switched off is not denied, also long after the reason for it is gone.',
  instead: 'Remove it once it is no longer needed; olm-guard.io/disable-until does so by itself.',
  messages: {
    all: 'every check switched off by {description}',
    families: '{families} switched off by {description}',
    ignored: '{problem}',
  },
  example: {
    after: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: cats.example.com, annotations: { olm-guard.io/disable: all } }`,
    says: 'every check switched off by annotation',
    accepted: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: cats.example.com }`,
  },
  *judge({ objects, switchOffs }) {
    for (const kind of switchable) {
      for (const object of objects(kind)) {
        const { bypasses, problems } = switchOffs(object);
        for (const { description, families } of bypasses) {
          yield {
            object,
            ...(families === 'all'
              ? { id: 'all', data: { description } }
              : { id: 'families', data: { families, description } }),
            cause: description,
          };
        }
        for (const problem of problems) {
          yield { object, id: 'ignored', data: { problem }, severity: 'warning' };
        }
      }
    }
  },
});

/** The finalizer that the API server puts on each definition, and removes once its objects are gone. */
const ofKubernetes = 'customresourcecleanup.apiextensions.k8s.io';
const kinds = ['CustomResourceDefinition', 'OperatorGroup', 'InstallPlan'];

/** Includes the garbage collector's: an object that it owns can hold them indefinitely. */
export function foreignFinalizers(object: JsonObject): string[] {
  return metaOf(object).finalizers.filter((each) => each !== ofKubernetes);
}

export function formatFinalizers(finalizers: readonly string[]): string {
  const list = firstNames(finalizers);
  return finalizers.length === 1 ? `finalizer ${list} is` : `finalizers ${list} are`;
}

export const deletionPending = defineScanRule({
  id: 'DeletionPending',
  severity: 'warning',
  family: 'stored-objects',
  kinds,
  source: from.kubernetesPages('Finalizers'),
  checks:
    'Definitions, OperatorGroups and InstallPlans that are being deleted and wait for finalizers.',
  why: 'Until the last finalizer is removed they stay in force: a definition serves and stores objects again, which are lost when it goes.',
  instead:
    'Let the controller that set the finalizer finish, or remove the finalizer if that controller is gone.',
  messages: {
    pending: 'being deleted since {since} and stays in force until its {finalizers} removed',
    held: '{name} stays and is served until its {finalizers} removed; objects created meanwhile are lost with it',
  },
  example: {
    after: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: cats.example.com
        deletionTimestamp: 2026-11-03T08:00:00Z
        finalizers: [example.com/hold]`,
    says: 'being deleted since 2026-11-03T08:00:00Z and stays in force until its finalizer example.com/hold is removed',
    accepted: `
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: { name: cats.example.com, finalizers: [example.com/hold] }`,
  },
  *judge({ objects }) {
    for (const kind of kinds) {
      for (const object of objects(kind)) {
        const { deletionTimestamp, finalizers } = metaOf(object);
        if (deletionTimestamp === undefined || finalizers.length === 0) continue;
        yield {
          object,
          id: 'pending',
          data: { since: deletionTimestamp, finalizers: formatFinalizers(finalizers) },
        };
      }
    }
  },
});

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

export const latentRiskRules = [bypassInForce, deletionPending, definitionOwned];
