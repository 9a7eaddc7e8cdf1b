/** Who sends a review, by the client certificate that its connection showed. */
import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';
import type { Caller } from '../admission/disclosure.js';

/** How an API server shows itself. */
export interface ClientCertificates {
  /** Common names that count; when there are none, every certificate under the authority does. */
  readonly names: readonly string[];
}

/** @param expected undefined when nobody said how an API server shows itself */
export function callerOf(
  { socket }: Pick<IncomingMessage, 'socket'>,
  expected: ClientCertificates | undefined,
): Caller {
  if (expected === undefined) return 'unproven';
  if (!(socket instanceof TLSSocket) || !socket.authorized) return 'stranger';
  const { names } = expected;
  if (names.length === 0) return 'api-server';
  // Several names in one subject come as a list.
  const shown = [socket.getPeerCertificate().subject?.CN].flat();
  return names.some((name) => shown.includes(name)) ? 'api-server' : 'stranger';
}
