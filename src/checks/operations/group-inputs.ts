/** Reads the Kubernetes objects that several OperatorGroup operations take. */
import type { JsonObject } from '../../text/documents/index.js';
import { type Namespace, type OperatorGroup, readOperatorGroup, settled } from '../../olm/index.js';
import { objectsAt, textAt, textMapAt } from '../../text/documents/fields.js';

export function readNamespaces(input: JsonObject): Namespace[] {
  return objectsAt(input, 'namespaces').map((namespace) => ({
    name: textAt(namespace, 'name') ?? '',
    labels: textMapAt(namespace, 'labels'),
  }));
}

/** Where the input lists `namespaces`, each group as its next sync leaves it; else by its status. */
export function readGroups(input: JsonObject, field: string): OperatorGroup[] {
  const groups = objectsAt(input, field).map(readOperatorGroup);
  if (!Object.hasOwn(input, 'namespaces')) return groups;
  const namespaces = readNamespaces(input);
  return groups.map((group) => settled(group, namespaces));
}

export function splitGroups(
  groups: readonly OperatorGroup[],
  namespace: string,
): { groupsInNamespace: OperatorGroup[]; otherGroups: OperatorGroup[] } {
  return {
    groupsInNamespace: groups.filter((group) => group.namespace === namespace),
    otherGroups: groups.filter((group) => group.namespace !== namespace),
  };
}
