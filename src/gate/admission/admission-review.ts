/** Decodes an AdmissionReview: from the body's text to a request whose shape is checked. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { User } from '../../cluster/index.js';
import {
  invalidInput,
  isObject,
  type JsonObject,
  metaOf,
  parseShared,
  type MeasuredJson,
} from '../../text/documents/index.js';

/** A `GroupVersionResource` or `GroupVersionKind`. */
interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

export const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] as const;

/** The fields of a request in admission.k8s.io/v1 that reviewers read. */
export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: GroupVersion & { readonly kind: string };
  readonly resource: GroupVersion & { readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: (typeof operations)[number];
  readonly userInfo?: User;
  readonly object?: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  readonly dryRun?: boolean;
}

/** The object's name; when a collection is deleted, only the object has it. */
export function subjectName({
  name,
  object,
  oldObject,
}: Pick<AdmissionRequest, 'name' | 'object' | 'oldObject'>): string {
  return name ?? metaOf(oldObject ?? object).name;
}

const version = 'admission.k8s.io/v1';
const string = { type: 'string' };
const named = (name: string): object => ({
  type: 'object',
  required: ['version', name],
  properties: { group: string, version: string, [name]: { type: 'string', minLength: 1 } },
});
const anything = { type: ['object', 'null'] };

const reviewSchema = {
  type: 'object',
  required: ['apiVersion', 'kind', 'request'],
  properties: {
    apiVersion: { const: version },
    kind: { const: 'AdmissionReview' },
    request: {
      type: 'object',
      required: ['uid', 'kind', 'resource', 'operation'],
      properties: {
        uid: { type: 'string', minLength: 1, maxLength: 1024 },
        kind: named('kind'),
        resource: named('resource'),
        subResource: string,
        name: string,
        namespace: string,
        operation: { enum: operations },
        userInfo: {
          type: 'object',
          properties: {
            username: string,
            uid: string,
            groups: { type: ['array', 'null'], items: string },
            extra: {
              type: ['object', 'null'],
              additionalProperties: { type: ['array', 'null'], items: string },
            },
          },
        },
        object: anything,
        oldObject: anything,
        dryRun: { type: ['boolean', 'null'] },
      },
    },
  },
};

// The schema is our own: checking it against the schema of schemas would only delay the start.
const isReview = new Ajv2020({ meta: false, validateSchema: false, strict: false }).compile<{
  request: AdmissionRequest;
}>(reviewSchema);

/** @throws InvalidInputError `E_JSON`, `E_LIMIT`, or `E_INPUT` (no AdmissionReview of admission.k8s.io/v1) */
export function decodeReview(body: MeasuredJson): AdmissionRequest {
  const review: unknown = parseShared(body);
  if (isReview(review)) {
    const { request } = review;
    // Go leaves the core group's name out.
    return request.resource.group === undefined
      ? { ...request, resource: { ...request.resource, group: '' } }
      : request;
  }
  throw invalidInput(notAReview(review));
}

function notAReview(review: unknown): string {
  if (!isObject(review) || review.kind !== 'AdmissionReview') {
    return `the body is not an AdmissionReview; POST one of ${version} here`;
  }
  if (review.apiVersion !== version) {
    return `the AdmissionReview is not of ${version}; name that version in admissionReviewVersions`;
  }
  const { instancePath = '', message = 'has an unknown shape' } = isReview.errors?.[0] ?? {};
  return `the AdmissionReview is incomplete: $${instancePath.replaceAll('/', '.')} ${message}`;
}

export interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: {
    readonly status: 'Failure';
    readonly code: number;
    readonly reason: string;
    readonly message: string;
    readonly details?: {
      readonly name?: string;
      readonly group?: string;
      readonly kind?: string;
      readonly causes: readonly Cause[];
    };
  };
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

type Denial = NonNullable<AdmissionResponse['status']>;

export function allowed(uid: string, warnings: readonly string[] = []): AdmissionResponse {
  return { uid, allowed: true, ...(warnings.length > 0 ? { warnings } : {}) };
}

export function denied(
  uid: string,
  message: string,
  details: Denial['details'],
  warnings: readonly string[] = [],
): AdmissionResponse {
  return {
    uid,
    allowed: false,
    status: { status: 'Failure', code: 403, reason: 'Forbidden', message, details },
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** The body of the HTTP answer. */
export function reviewOf(response: AdmissionResponse): object {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}
