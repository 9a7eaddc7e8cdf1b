/** How many connections there may be: past that, those go first that have shown least. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  readonly socket: Socket;
  /** Requests under way. */
  requests: number;
  /** What it has shown: 0 that it can connect, 1 that it asks, 2 that it is trusted. */
  rank: 0 | 1 | 2;
  /** Grows with each connection and each answer. */
  lastUsed: number;
}

/**
 * Keeps a server to so many connections. For one more the connection is closed that nobody is being
 * answered on, of these one that has never asked anything, and of these the oldest; who has shown to
 * be trusted goes last. Were new ones refused, whoever holds the most could keep everybody else out.
 */
export class Connections {
  readonly #open = new Map<string, Connection>();
  #clock = 0;

  constructor(
    server: Server,
    readonly most: number,
    readonly isTrusted: (request: IncomingMessage) => boolean = () => false,
  ) {
    server.on('connection', (socket: Socket) => this.#add(socket));
    server.on('request', (request, response) => this.#used(request, response));
  }

  get size(): number {
    return this.#open.size;
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const connection: Connection = { socket, requests: 0, rank: 0, lastUsed: this.#clock++ };
    this.#open.set(key, connection);
    socket.once('close', () => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    if (this.#open.size <= this.most) return;
    const least = this.#least(connection) ?? connection;
    this.#open.delete(keyOf(least.socket));
    least.socket.destroy();
  }

  #least(added: Connection): Connection | undefined {
    let least: Connection | undefined;
    for (const each of this.#open.values()) {
      if (each === added || each.requests > 0) continue;
      const isLess =
        least === undefined ||
        each.rank < least.rank ||
        (each.rank === least.rank && each.lastUsed < least.lastUsed);
      if (isLess) least = each;
    }
    return least;
  }

  #used(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(keyOf(request.socket));
    if (connection === undefined) return;
    connection.requests++;
    connection.rank = this.isTrusted(request) ? 2 : 1;
    response.once('close', () => {
      connection.requests--;
      connection.lastUsed = this.#clock++;
    });
  }
}

/** A TLS socket is another object than the one that was accepted, with the same two ends. */
function keyOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
