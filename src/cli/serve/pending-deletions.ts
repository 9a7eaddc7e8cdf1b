/** Definitions, groups and plans that are being deleted and stay in force until their finalizers are removed. */
import type { Connection } from '../../cluster/index.js';
import { foreignFinalizers, formatFinalizers } from '../../olm/index.js';
import { metaOf, readList, type JsonObject } from '../../text/documents/index.js';
import { type Observation, get, unknown, warning } from './observation.js';

const kinds = [
  ['CustomResourceDefinition', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
  ['OperatorGroup', '/apis/operators.coreos.com/v1/operatorgroups'],
  ['InstallPlan', '/apis/operators.coreos.com/v1alpha1/installplans'],
] as const;
const accept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** How many objects of one kind are named. */
const named = 20;

/** Objects that wait only for Kubernetes itself are left out: it deletes them soon. */
export async function pendingDeletions(connection: Connection): Promise<Observation[]> {
  const seen = await Promise.all(
    kinds.map(async ([kind, path]) => {
      const list = await get<JsonObject>(connection, path, accept);
      if (list === 'absent') return [];
      if (list === 'forbidden') {
        return [
          unknown(`whether a ${kind} waits to be deleted is not known: no right to list them`),
        ];
      }
      const pending = readList(list).objects.filter(
        (item) =>
          metaOf(item).deletionTimestamp !== undefined && foreignFinalizers(item).length > 0,
      );
      const shown = pending.slice(0, named).map((item) => {
        const { name, namespace, deletionTimestamp = '' } = metaOf(item);
        const place = namespace === '' ? '' : `${namespace}/`;
        return warning(
          `${kind} ${place}${name} is being deleted since ${deletionTimestamp} and stays in force until its ${formatFinalizers(foreignFinalizers(item))} removed`,
        );
      });
      const more = pending.length - shown.length;
      return more > 0 ? [...shown, warning(`and ${more} more of kind ${kind}`)] : shown;
    }),
  );
  return seen.flat();
}
