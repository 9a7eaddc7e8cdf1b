/** What lies between two processes that talk over TCP, and can be disturbed. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export type Disturbance =
  /** Bytes wait, both ways, and arrive when it is over: packets that are sent again. */
  | { readonly kind: 'hold' }
  /** Connections are lost, those that are open and those that are opened, and neither end is told. */
  | { readonly kind: 'drop' }
  /** Bytes take so long, each way. */
  | { readonly kind: 'delay'; readonly milliseconds: number };

interface Connection {
  readonly client: Socket;
  readonly server: Socket | undefined;
  isLost: boolean;
}

/** The connections between clients and servers; both may be half-closed (`allowHalfOpen`). */
export class Network {
  #disturbance: Disturbance | undefined;
  #over: (() => void) | undefined;
  #calm: Promise<void> = Promise.resolve();
  readonly #open = new Set<Connection>();

  /** How many connections are open. */
  get connections(): number {
    return this.#open.size;
  }

  /** Until it is called again; without a disturbance, all is well from then on. */
  disturb(disturbance?: Disturbance): void {
    this.#disturbance = disturbance;
    this.#over?.();
    this.#over = undefined;
    if (disturbance?.kind === 'hold') this.#calm = new Promise((resolve) => (this.#over = resolve));
    if (disturbance?.kind === 'drop') for (const each of this.#open) each.isLost = true;
  }

  /** Ends every open connection: for both, or for one of them, which the other does not hear of. */
  cut(whom: 'both' | 'client' | 'server'): void {
    for (const { client, server, isLost } of this.#open) {
      if (isLost) continue;
      if (whom === 'both') for (const each of [client, server]) each?.resetAndDestroy();
      else (whom === 'client' ? client : server)?.end();
    }
  }

  /** @param connect called where the network lets a connection through */
  carry(client: Socket, connect: () => Socket): void {
    const isLost = this.#disturbance?.kind === 'drop';
    const server = isLost ? undefined : connect();
    const connection: Connection = { client, server, isLost };
    this.#open.add(connection);
    const ends = [client, server].filter((each) => each !== undefined);
    for (const socket of ends) {
      const other = socket === client ? server : client;
      socket.on('error', () => {
        if (!connection.isLost) other?.destroy();
      });
      socket.on('close', () => {
        if (!connection.isLost) other?.end();
        if (ends.every(({ destroyed }) => destroyed)) this.#open.delete(connection);
      });
      void this.#relay(connection, socket, other);
    }
  }

  destroy(): void {
    this.disturb();
    for (const { client, server } of this.#open)
      for (const each of [client, server]) each?.destroy();
  }

  async #relay(connection: Connection, from: Socket, to: Socket | undefined): Promise<void> {
    try {
      for await (const bytes of from.iterator({ destroyOnReturn: false })) {
        await this.#passage();
        if (connection.isLost || to?.writable !== true) continue;
        if (!to.write(bytes as Buffer)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      await this.#passage();
      if (!connection.isLost) to?.end();
      // Its other end is gone, as far as anybody can tell; a server that keeps it open would leak it.
      else from.end();
    } catch {
      // The other end hears of it by `close`.
    }
  }

  async #passage(): Promise<void> {
    await this.#calm;
    if (this.#disturbance?.kind === 'delay') await sleep(this.#disturbance.milliseconds);
  }
}
