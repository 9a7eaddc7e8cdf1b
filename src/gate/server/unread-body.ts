/** Bodies that are refused by their headers: taking one apart costs more than sending it. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** API servers send `Content-Length`. @returns whether it was refused; then it is answered and closed */
export function refuseChunked(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers['transfer-encoding'] === undefined) return false;
  refuse(request, response, 411, 'send the body with Content-Length, not in chunks');
  return true;
}

/** The same for every body, where there is nothing to send one to. */
export function refuseBody(request: IncomingMessage, response: ServerResponse): boolean {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  if (encoding === undefined && Number(length) === 0) return false;
  refuse(request, response, 413, 'requests have no body here');
  return true;
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
): void {
  response.writeHead(status, { Connection: 'close', 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify({ error: { code: 'E_INPUT', message } })}\n`);
  stopParsing(request);
}

/**
 * Of what was read of a connection Node takes every request and piece apart, also once the connection is
 * closed: 64 KiB hold 10,000 pieces or 3,000 requests, with an object made for each. The parser makes none where
 * it has nothing to call. It is used again for other connections, so it gets back what it calls before Node
 * takes it from this one. Node's types do not know of it; were a later Node to keep it elsewhere, the connection
 * is closed as well, only later.
 */
export function stopParsing({ socket }: Pick<IncomingMessage, 'socket'>): void {
  const { parser } = socket as { parser?: Record<number, unknown> | null };
  const calls = Object.entries(parser ?? {}).filter(([, each]) => typeof each === 'function');
  const callbacks = calls.filter(([key]) => /^\d+$/.test(key));
  if (!parser || callbacks.length === 0) return;
  for (const [key] of callbacks) parser[Number(key)] = null;
  socket.prependOnceListener('close', () => Object.assign(parser, Object.fromEntries(callbacks)));
}
