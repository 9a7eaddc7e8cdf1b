/** Objects as an API server has them after `kubectl annotate`, for tests. */
import { isObject, own, type JsonObject } from '../../text/documents/index.js';

/** The object with a record of its annotations, as if each had been set by itself. */
export function annotated(object: JsonObject): JsonObject {
  const metadata = own(object, 'metadata');
  if (!isObject(metadata)) throw new Error('the object has no metadata');
  const annotations = own(metadata, 'annotations');
  const names = isObject(annotations) ? Object.keys(annotations) : [];
  const owned = Object.fromEntries(
    ['.', ...names.map((name) => `f:${name}`)].map((key) => [key, {}]),
  );
  const entry = (manager: string, fieldsV1: JsonObject): JsonObject => ({
    manager,
    operation: 'Update',
    apiVersion: 'apiextensions.k8s.io/v1',
    fieldsType: 'FieldsV1',
    fieldsV1,
  });
  return {
    ...object,
    metadata: {
      ...metadata,
      managedFields: [
        entry('helm', { 'f:spec': { 'f:versions': {} } }),
        entry('kubectl-annotate', { 'f:metadata': { 'f:annotations': owned } }),
      ],
    },
  };
}
