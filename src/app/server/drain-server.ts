/** Closing a server without cutting off whoever is being answered. */
import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Connections } from './connections.js';

/** Takes no new connections, lets what is under way finish, then closes what is left. */
export async function drainServer(
  server: HttpServer | HttpsServer,
  connections: Connections,
  grace: number,
): Promise<void> {
  // `server.close` calls it. Node's own throws where a connection is gone that its list still has.
  server.closeIdleConnections = () => connections.closeIdle();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const timer = setTimeout(() => connections.closeAll(), grace);
  await closed;
  clearTimeout(timer);
}
