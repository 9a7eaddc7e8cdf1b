/** The sender of a review, by the client certificate that its connection showed. */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Caller } from '../admission/disclosure.js';

/** How an API server shows itself. */
export interface ClientCertificates {
  /** Common names that count; when there are none, every certificate under the authority does. */
  readonly names: readonly string[];
  /** Of those for whom the certificate's owner asks: only a review for the API server itself is an API server's. */
  readonly userHeaders?: readonly string[];
}

/** The name by which an API server calls itself. No other user gets it without the right to impersonate it. */
const apiServerUser = 'system:apiserver';

/** The header that an API server writes itself; it passes others on as the caller sent them. */
const aggregatorHeader = 'X-Remote-User';

/** @param expected undefined when the way an API server shows itself is not configured */
export function callerOf(
  request: Pick<IncomingMessage, 'socket' | 'headers'>,
  expected: ClientCertificates | undefined,
): Caller {
  if (expected === undefined) return 'unverified';
  if (!showsCertificate(request, expected)) return 'unauthenticated';
  if (expected.userHeaders === undefined) return 'api-server';
  const users = [...expected.userHeaders, aggregatorHeader].flatMap(
    (name) => request.headers[name.toLowerCase()] ?? [],
  );
  return users.length > 0 && users.every((user) => user === apiServerUser)
    ? 'api-server'
    : 'unauthenticated';
}

/** Whether an API server holds the other end of the connection, on whosever behalf it asks. */
export function showsCertificate(
  { socket }: Pick<IncomingMessage, 'socket'>,
  expected: ClientCertificates | undefined,
): boolean {
  if (expected === undefined || !(socket instanceof TLSSocket) || !socket.authorized) return false;
  const { names } = expected;
  // Several names in one subject come as a list.
  const shown = [socket.getPeerCertificate().subject?.CN].flat();
  return names.length === 0 || names.some((name) => shown.includes(name));
}
