import { metaOf, type JsonObject } from '../../../text/documents/index.js';
import { from } from '../../../rule/index.js';
import { firstNames } from '../../../text/shortened.js';
import { defineScanRule } from './rule.js';

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
