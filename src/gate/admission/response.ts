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
    status: {
      status: 'Failure',
      code: 403,
      reason: 'Forbidden',
      message,
      details,
    },
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

/** The body of the HTTP answer. */
export function reviewOf(response: AdmissionResponse): object {
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response };
}
