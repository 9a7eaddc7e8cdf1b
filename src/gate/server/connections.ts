/** The connections of one port: how many there may be, when they are read, and how much is read of each. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, type Server as SocketServer, type Socket } from 'node:net';
import { Server as TlsServer } from 'node:tls';
import { ConnectionQueue, type ConnectionRate } from './connection-queue.js';
import { listen, type Address } from './listen.js';
import { waitingConnections } from './memory.js';
import { networkOf } from './network.js';
import { stopParsing } from './body.js';

interface Connection {
  readonly socket: Socket;
  /** A network: see {@link networkOf}. */
  readonly address: string;
  isAnswering: boolean;
  request?: IncomingMessage;
  response?: ServerResponse;
  isKnown: boolean;
  isTrusted: boolean;
  /** Its place in the queue counts no more. */
  isGivenBack: boolean;
  /** All of them so far, and what they were read in. */
  asked: number;
  reads: number;
  bytes: number;
  /** Grows with each connection, request and answer. */
  lastUsed: number;
  looks: number;
  /** How often bytes of an answer waited to be taken, and how many had been at first. */
  unread?: { looks: number; readonly taken: number };
}

/** Credit of a connection by what it has shown: the less, the sooner it is closed. */
const showed = {
  nothing: 0,
  aRequest: 1,
  isAnswered: 2,
  trust: 3,
  isTrustedAndAnswered: 4,
} as const;

/**
 * How many reads a connection may take: so many for each request, and one more for so many bytes. Of TLS a
 * read is a record, which costs the same whether it holds one byte or 16 KiB; API servers send 1 KiB and more
 * in each, whatever a tunnel makes of the packets.
 */
const readsOfRequest = 128;
const leastBytesOfRead = 256;
/** For callers that may stream: each line that is sent by itself is a read. */
const leastBytesOfKnownRead = 16;

/** The share of all connections past which an address makes room for others by its own. */
const mostOfAddress = 1 / 4;

/** An API server sends ten, and one for each group of a user whose request it passes on. */
const maxHeaderLines = 100;

/** Looks are counted and not milliseconds: while the gate is too busy to look, it is too busy to read. */
const lookMilliseconds = 1000;
const firstSeconds = 10;
/** Until when a first request must be there, its handshake included. */
const firstLooks = firstSeconds;
/** How long a request of an unknown caller may take, to the last byte of its answer: a review takes ten seconds. */
const unknownLooks = 20;
/** API servers hold idle connections for 90 s; closing earlier would race with their next review. */
const keepAliveSeconds = 120;
const idleLooks = keepAliveSeconds + firstSeconds;
/** How long a client may leave an answer unread, and what it must take of it in this time. */
const unreadLooks = 10;
const leastBytesTaken = 16 * 1024;

/** With what a server of {@link Connections} is made: what it reads itself of a request ends with its headers. */
export const serverOptions = {
  keepAliveTimeout: keepAliveSeconds * 1000,
  handshakeTimeout: firstSeconds * 1000,
  // Node would answer requests without one by itself, as many as are read of a connection.
  requireHostHeader: false,
};

export interface ConnectionsOptions {
  readonly most: number;
  readonly rate: ConnectionRate;
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether the caller may ask more: all others get one answer for each connection. */
  readonly isKnown?: (request: IncomingMessage) => boolean;
  /** Whether it has shown who it is: its connection is among the last to be closed. */
  readonly isTrusted?: (request: IncomingMessage) => boolean;
  readonly onBegin?: () => void;
}

/**
 * Keeps a port to so many connections, of which only so many a second are read ({@link ConnectionQueue}), and
 * each of them to one request at a time.
 *
 * For one more that is read a connection goes: of those whose callers have not shown to be
 * trusted, one from which no request has come, or not yet the whole of one, and of these the oldest; then the one
 * that was idle longest. An address with more than a quarter of all makes room by its own. Were new ones refused,
 * an address that holds them all could keep every other out. If all are being answered, the newest of the address
 * that has most is closed, for the same reason.
 */
export class Connections {
  readonly #open = new Map<string, Connection>();
  readonly #queue: ConnectionQueue<Socket>;
  readonly #sockets: SocketServer;
  #clock = 0;
  #isDraining = false;
  #looking: NodeJS.Timeout | undefined;

  /** @param server made with {@link serverOptions}, without a listener of requests */
  constructor(
    readonly server: Server,
    readonly options: ConnectionsOptions,
  ) {
    const isSecure = server instanceof TlsServer;
    this.#queue = new ConnectionQueue(options.rate, (socket) => this.#begin(socket));
    this.#sockets = createServer(
      { pauseOnConnect: true, allowHalfOpen: !isSecure, noDelay: true },
      (socket) => this.#add(socket),
    );
    // For a TLS server these are the sockets that requests are read from.
    server.on(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
      socket.on('data', ({ length }: Buffer) => this.#read(socket, length));
      closeWithoutStacks(socket);
    });
    server.maxHeadersCount = maxHeaderLines + 1;
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      this.#answer(request, response);
    // Node would refuse the other expectations by itself, as many as are read of a connection.
    server.on('request', answer).on('checkExpectation', answer);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Returns `HOST:PORT` as a URL needs it. @throws InvalidInputError when it cannot listen */
  async listen(address: Address): Promise<string> {
    const bound = await listen(this.#sockets, address);
    this.#looking = setInterval(() => this.#look(), lookMilliseconds).unref();
    return bound;
  }

  /** Takes no new connections, lets what is under way finish, then closes what is left. */
  async drain(grace: number): Promise<void> {
    this.#isDraining = true;
    for (const socket of this.#queue.close()) socket.destroy();
    const closed = new Promise<void>((resolve) => this.#sockets.close(() => resolve()));
    for (const { isAnswering, socket } of this.#open.values()) if (!isAnswering) socket.destroy();
    const timer = setTimeout(() => {
      for (const { socket } of this.#open.values()) socket.destroy();
    }, grace);
    await closed;
    clearTimeout(timer);
    clearInterval(this.#looking);
  }

  #add(socket: Socket): void {
    const address = networkOf(socket.remoteAddress ?? '');
    socket.on('error', () => undefined);
    if (this.#queue.size >= waitingConnections)
      this.#queue.dropOldest(waitingConnections * mostOfAddress)?.destroy();
    this.#queue.push(address, socket);
  }

  #begin(socket: Socket): boolean {
    if (socket.destroyed) return false;
    const key = keyOf(socket);
    const connection: Connection = {
      ...{ socket, address: networkOf(socket.remoteAddress ?? '') },
      ...{ isAnswering: false, isKnown: false, isTrusted: false, isGivenBack: false },
      ...{ asked: 0, reads: 0, bytes: 0, lastUsed: this.#clock++, looks: 0 },
    };
    if (this.#open.size >= this.options.most) {
      const least = this.#leastUsed(connection);
      this.#open.delete(keyOf(least.socket));
      least.socket.destroy();
      if (least === connection) return true;
    }
    this.#open.set(key, connection);
    socket.once('close', () => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    this.options.onBegin?.();
    this.server.emit('connection', socket);
    if (!(this.server instanceof TlsServer)) socket.resume();
    return true;
  }

  /** The one to close, among all that are read and the one that was added. */
  #leastUsed(added: Connection): Connection {
    const all = [...this.#open.values()];
    const untrusted = all.filter(({ isTrusted }) => !isTrusted);
    if (untrusted.length === 0)
      return leastOf(all.filter(({ isAnswering }) => !isAnswering)) ?? added;
    const [address, count] = addressOfMost([...untrusted, added]);
    const ofMost = untrusted.filter((each) => each.address === address);
    const least = leastOf(count > this.options.most * mostOfAddress ? ofMost : untrusted);
    if (least !== undefined && rankOf(least) !== showed.isAnswered) return least;
    // Of answers too it is the load of the address with most of them that is too much, and the latest of it.
    const newest = ofMost.toSorted((a, b) => b.lastUsed - a.lastUsed)[0];
    return added.address === address ? added : (newest ?? added);
  }

  /** Closes a connection that sends in pieces too small to be worth reading. */
  #read(socket: Socket, length: number): void {
    const connection = this.#open.get(keyOf(socket));
    if (connection === undefined) return;
    connection.reads++;
    connection.bytes += length;
    const { asked, reads, bytes, isKnown } = connection;
    const leastBytes = isKnown ? leastBytesOfKnownRead : leastBytesOfRead;
    if (reads > readsOfRequest * (1 + asked) + bytes / leastBytes) socket.destroy();
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { isKnown = never, isTrusted = never, answer } = this.options;
    const connection = this.#open.get(keyOf(request.socket));
    // Node goes on with what it has read of a connection that was closed meanwhile.
    if (connection === undefined || request.socket.destroyed) return stopParsing(request);
    // `finish` may come after the client has read the answer and sent the next request.
    const isAnswered = connection.isKnown && connection.response?.writableEnded === true;
    if (connection.asked > 0 && !isAnswered) {
      request.socket.destroy();
      return stopParsing(request);
    }
    this.#use(connection);
    connection.asked++;
    connection.isAnswering = true;
    connection.request = request;
    connection.response = response;
    response.once('close', () => {
      if (connection.response !== response) return;
      this.#use(connection);
      connection.isAnswering = false;
      if (this.#isDraining) request.socket.end();
    });
    if (request.rawHeaders.length > 2 * maxHeaderLines) {
      response.writeHead(431, { Connection: 'close' }).end();
      return stopParsing(request);
    }
    connection.isTrusted = isTrusted(request);
    connection.isKnown = connection.isTrusted || isKnown(request);
    if (connection.isTrusted) this.#giveBack(connection);
    else if (connection.isKnown) request.once('end', () => this.#giveBack(connection));
    else response.setHeader('Connection', 'close');
    answer(request, response);
  }

  #giveBack(connection: Connection): void {
    if (connection.isGivenBack) return;
    connection.isGivenBack = true;
    this.#queue.giveBack();
  }

  #use(connection: Connection): void {
    connection.lastUsed = this.#clock++;
    connection.looks = 0;
  }

  #look(): void {
    for (const connection of this.#open.values()) {
      connection.looks++;
      if (isOverdue(connection)) connection.socket.destroy();
    }
  }
}

function isOverdue(connection: Connection): boolean {
  const { asked, isAnswering, isKnown, looks, request } = connection;
  if (asked === 0) return looks > firstLooks;
  if (!isAnswering) return looks > idleLooks;
  if (!isKnown && looks > unknownLooks) return true;
  const { bytesWritten = 0, writableLength = 0 } = request?.socket ?? {};
  const taken = bytesWritten - writableLength;
  const { unread } = connection;
  if (writableLength === 0) connection.unread = undefined;
  else if (unread === undefined || taken - unread.taken >= leastBytesTaken)
    connection.unread = { looks: 0, taken };
  else return ++unread.looks > unreadLooks;
  return false;
}

const never = (): boolean => false;

/** Writing the stack of each error that Node makes for an unanswered request takes longer than the request. */
function closeWithoutStacks(socket: Socket): void {
  const { stackTraceLimit } = Error;
  socket.prependListener('close', () => (Error.stackTraceLimit = 0));
  socket.on('close', () => (Error.stackTraceLimit = stackTraceLimit));
}

/** The oldest of those that have shown least. */
function leastOf(connections: readonly Connection[]): Connection | undefined {
  let least: Connection | undefined;
  for (const each of connections) {
    const difference = least === undefined ? -1 : rankOf(each) - rankOf(least);
    if (least === undefined || difference < 0) least = each;
    else if (difference === 0 && each.lastUsed < least.lastUsed) least = each;
  }
  return least;
}

function addressOfMost(connections: readonly Connection[]): readonly [string, number] {
  const counts = new Map<string, number>();
  let most: readonly [string, number] = ['', 0];
  for (const { address } of connections) {
    const count = (counts.get(address) ?? 0) + 1;
    counts.set(address, count);
    if (count > most[1]) most = [address, count];
  }
  return most;
}

function rankOf({ isTrusted, isAnswering, request }: Connection): number {
  if (isTrusted) return isAnswering ? showed.isTrustedAndAnswered : showed.trust;
  if (request === undefined) return showed.nothing;
  if (!isAnswering) return showed.aRequest;
  // While the gate does not read it is not the caller that takes its time.
  return request.complete || request.isPaused() ? showed.isAnswered : showed.nothing;
}

/** A TLS socket is another object than the one that was accepted, with the same two ends. */
function keyOf({ remoteAddress = '', remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
