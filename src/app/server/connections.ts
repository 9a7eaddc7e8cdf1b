/** How many connections there may be: past that, those go first that have shown least. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { stopParsing } from './unread-body.js';

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Requests under way. */
  requests: number;
  /** The last one that came. */
  request?: IncomingMessage;
  isTrusted: boolean;
  /** All of them so far, and what they were read in. */
  asked: number;
  reads: number;
  bytes: number;
  /** Grows with each connection, request and answer. */
  lastUsed: number;
}

/** What a connection has shown: the fewer, the sooner it goes. */
const showed = {
  nothing: 0,
  aRequest: 1,
  isAnswered: 2,
  trust: 3,
  isTrustedAndAnswered: 4,
} as const;

/**
 * Requests of one connection that may be under way at once. API servers send the next when the last was
 * answered; Node reads as many as come, and each takes time and memory before its turn.
 */
export const maxPipelined = 32;

/**
 * How many reads a connection may take: so many for each request, and one more for so many bytes. Of TLS a
 * read is a record, which costs the same whether it holds one byte or 16 KiB; API servers send 1 KiB and more
 * in each, whatever a tunnel makes of the packets.
 */
const readsOfRequest = 128;
const leastBytesOfRead = 256;
/** For who may stream: each line that is sent by itself is a read. */
const leastTrustedBytesOfRead = 16;

/**
 * Keeps a server to so many connections, and each of them to {@link maxPipelined}. For one more the connection goes, of those whose callers have
 * not shown to be trusted, from which no request has come, or not yet the whole of one, and of these
 * the oldest; then the one that was idle longest. Were new ones refused, whoever holds the most could
 * keep everybody else out. If every connection is being answered, the newest of the address that holds
 * the most is closed, for the same reason.
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
    // Of a TLS server these are the sockets that requests are read from.
    const readable = server instanceof TlsServer ? 'secureConnection' : 'connection';
    server.on(readable, (socket: Socket) => {
      socket.on('data', ({ length }: Buffer) => this.#read(socket, length));
    });
    server.on('request', (request, response) => this.#used(request, response));
  }

  get size(): number {
    return this.#open.size;
  }

  #add(socket: Socket): void {
    const key = keyOf(socket);
    const { remoteAddress: address = '' } = socket;
    const connection: Connection = {
      ...{ socket, address, requests: 0, isTrusted: false, lastUsed: this.#clock++ },
      ...{ asked: 0, reads: 0, bytes: 0 },
    };
    this.#open.set(key, connection);
    socket.once('close', () => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    if (this.#open.size <= this.most) return;
    const leastUsed = this.#leastUsed(connection);
    this.#open.delete(keyOf(leastUsed.socket));
    leastUsed.socket.destroy();
  }

  /** Closes those on which nothing is being answered. */
  closeIdle(): void {
    for (const { requests, socket } of this.#open.values()) if (requests === 0) socket.destroy();
  }

  closeAll(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }

  /** The one to close, among all and the one that was added. */
  #leastUsed(added: Connection): Connection {
    let leastUsed: Connection | undefined;
    let rank: number = showed.isTrustedAndAnswered;
    for (const each of this.#open.values()) {
      const its = rankOf(each);
      if (each === added || its > rank) continue;
      if (leastUsed === undefined || its < rank || each.lastUsed < leastUsed.lastUsed)
        leastUsed = each;
      rank = its;
    }
    if (leastUsed === undefined || rank === showed.isTrustedAndAnswered) return added;
    return rank === showed.isAnswered ? this.#newestOfMost(added) : leastUsed;
  }

  /** Whoever has most requests under way: it is their load that is too much. */
  #newestOfMost(added: Connection): Connection {
    const newest = new Map([[added.address, { count: 1, connection: added }]]);
    for (const each of this.#open.values()) {
      if (rankOf(each) !== showed.isAnswered) continue;
      const { count, connection } = newest.get(each.address) ?? { count: 0, connection: each };
      const isNewer = connection.lastUsed < each.lastUsed && connection !== added;
      newest.set(each.address, { count: count + 1, connection: isNewer ? each : connection });
    }
    const [most] = [...newest.values()].sort((a, b) => b.count - a.count);
    return most?.connection ?? added;
  }

  /** Closes a connection that sends in pieces too small to be worth reading. */
  #read(socket: Socket, length: number): void {
    const connection = this.#open.get(keyOf(socket));
    if (connection === undefined) return;
    connection.reads++;
    connection.bytes += length;
    const { asked, reads, bytes, isTrusted } = connection;
    const minBytes = isTrusted ? leastTrustedBytesOfRead : leastBytesOfRead;
    if (reads > readsOfRequest * (1 + asked) + bytes / minBytes) socket.destroy();
  }

  #used(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(keyOf(request.socket));
    if (connection === undefined) return;
    connection.asked++;
    if (++connection.requests > maxPipelined) {
      request.socket.destroy();
      stopParsing(request);
    }
    connection.request = request;
    connection.lastUsed = this.#clock++;
    connection.isTrusted = this.isTrusted(request);
    response.once('close', () => {
      connection.requests--;
      connection.lastUsed = this.#clock++;
    });
  }
}

function rankOf({ requests, request, isTrusted }: Connection): number {
  if (isTrusted) return requests > 0 ? showed.isTrustedAndAnswered : showed.trust;
  if (request === undefined) return showed.nothing;
  if (requests === 0) return showed.aRequest;
  // While the gate does not read it is not the caller that takes its time.
  return request.complete || request.isPaused() ? showed.isAnswered : showed.nothing;
}

/** A TLS socket is another object than the one that was accepted, with the same two ends. */
function keyOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
