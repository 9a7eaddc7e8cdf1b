/** AdmissionReviews as an API server writes them. */
import type { AdmissionResponse } from '../../src/gate/admission/admission-review.js';
import type { JsonObject, JsonValue } from '../../src/text/documents/index.js';

/** A small CustomResourceDefinition with one field `size`; `change` alters its spec. */
export function definition(change: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { size: { type: 'integer', minimum: 1 } } },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com', ...metadata },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', listKind: 'WidgetList', plural: 'widgets', singular: 'widget' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      ...change,
    },
    status: { storedVersions: ['v1'] },
  };
}

/** {@link definition} whose `spec.size` has the given schema. */
export function withSize(size: JsonObject | undefined, metadata: JsonObject = {}): JsonObject {
  const properties: JsonObject = size === undefined ? {} : { size };
  const schema: JsonObject = {
    type: 'object',
    properties: { spec: { type: 'object', properties } },
  };
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } };
  return definition({ versions: [version] }, metadata);
}

export interface ReviewFields {
  readonly uid?: string;
  readonly operation?: string;
  readonly oldObject?: JsonValue;
  readonly object?: JsonValue;
  readonly [field: string]: unknown;
}

/** A review of an UPDATE of a CustomResourceDefinition, fields in the API server's order. */
export function reviewText(fields: ReviewFields = {}): string {
  const gvr = { group: 'apiextensions.k8s.io', version: 'v1' };
  return JSON.stringify({
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid: 'f5a3ea7c-3ab0-4a0e-8d5b-0f6f3c0f2c11',
      kind: { ...gvr, kind: 'CustomResourceDefinition' },
      resource: { ...gvr, resource: 'customresourcedefinitions' },
      name: 'widgets.example.com',
      operation: 'UPDATE',
      userInfo: { username: 'admin', groups: ['system:authenticated'] },
      object: definition(),
      oldObject: definition(),
      dryRun: false,
      ...fields,
    },
  });
}

/** The response inside an answer's AdmissionReview. */
export function responseIn(text: string): AdmissionResponse {
  const review = JSON.parse(text) as { kind: string; response: AdmissionResponse };
  if (review.kind !== 'AdmissionReview') throw new Error(`not an AdmissionReview: ${text}`);
  return review.response;
}
