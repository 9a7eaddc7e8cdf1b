/** Access questions to an API server: which user a token belongs to, and what a user may do. */
import { objectAt } from '../../text/documents/fields.js';
import { own, type JsonObject } from '../../text/documents/index.js';
import type { Connection } from './connection.js';
import type { User } from './view.js';

/** `spec.resourceAttributes` or `spec.nonResourceAttributes` of a SubjectAccessReview. */
export type AccessAttributes =
  | { readonly resourceAttributes: Readonly<Record<string, string | undefined>> }
  | { readonly nonResourceAttributes: { readonly path: string; readonly verb: string } };

/** SubjectAccessReview, or without a user SelfSubjectAccessReview. @throws ClusterError */
export async function isAllowed(
  connection: Connection,
  user: User | undefined,
  attributes: AccessAttributes,
  signal: AbortSignal,
): Promise<boolean> {
  const { username, uid, groups, extra } = user ?? {};
  const kind = user === undefined ? 'SelfSubjectAccessReview' : 'SubjectAccessReview';
  const spec = { ...attributes, user: username, uid, groups, extra };
  const status = await review(connection, 'authorization', kind, spec, signal);
  return own(status, 'allowed') === true;
}

/** The user of a bearer token (TokenReview), or undefined when it is no user's. @throws ClusterError */
export async function userOf(
  connection: Connection,
  token: string,
  signal: AbortSignal,
): Promise<User | undefined> {
  const status = await review(connection, 'authentication', 'TokenReview', { token }, signal);
  return own(status, 'authenticated') === true ? objectAt(status, 'user') : undefined;
}

async function review(
  connection: Connection,
  group: 'authentication' | 'authorization',
  kind: 'SelfSubjectAccessReview' | 'SubjectAccessReview' | 'TokenReview',
  spec: object,
  signal: AbortSignal,
): Promise<JsonObject> {
  const answer = await connection.find({
    path: `/apis/${group}.k8s.io/v1/${kind.toLowerCase()}s`,
    method: 'POST',
    body: JSON.stringify({ apiVersion: `${group}.k8s.io/v1`, kind, spec }),
    signal,
  });
  return objectAt(answer, 'status') ?? {};
}
