/** Closing a server without cutting off whoever is being answered. */
import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';

/** Takes no new connections, lets what is under way finish, then closes what is left. */
export async function drainServer(server: HttpServer | HttpsServer, grace: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearTimeout(timer);
}
