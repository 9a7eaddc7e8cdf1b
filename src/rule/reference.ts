import { textAt } from '../text/documents/fields.js';
import { metaOf, type JsonObject } from '../text/documents/index.js';
import type { ObjectReference } from './finding.js';

export function referenceTo(object: JsonObject): ObjectReference {
  const { name, namespace } = metaOf(object);
  return {
    apiVersion: textAt(object, 'apiVersion') ?? '',
    kind: textAt(object, 'kind') ?? '',
    ...(namespace === '' ? {} : { namespace }),
    name,
  };
}

export function referenceToDefinition(name: string): ObjectReference {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name };
}

/** `Kind namespace/name` */
export function formatReference({ kind, namespace, name }: ObjectReference): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
