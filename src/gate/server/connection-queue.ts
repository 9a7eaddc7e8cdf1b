/** Connections that wait until they are read: no more at a time than there is processor time for. */
import { createPrivateKey } from 'node:crypto';
import { addTo } from '../../text/group.js';

export interface ConnectionRate {
  /** How many may begin at once. */
  readonly burst: number;
  /** In a second in which the event loop has nothing else to do. */
  readonly perSecond: number;
}

/** How much of the rate is left while the event loop is busy, or other processes have its processor. */
const busyShare = 0.2;

/** A tenth of a processor, at the most that a connection with one small request takes of it. */
export const plainRate: ConnectionRate = { burst: 100, perSecond: 400 };

/** The same with a handshake, whose signature takes most of it, by its key. */
export function secureRate({ key }: { readonly key: string }): ConnectionRate {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(key);
  if (asymmetricKeyType !== 'rsa') return { burst: 25, perSecond: 250 };
  const { modulusLength = 0 } = asymmetricKeyDetails ?? {};
  return modulusLength <= 2048 ? { burst: 25, perSecond: 100 } : { burst: 10, perSecond: 20 };
}

interface Waiting<Connection> {
  readonly connection: Connection;
  /** Its place in the order in which all came. */
  readonly place: number;
}

/** Until it looks again what has been left over. */
const mostMilliseconds = 1000;

/** Of one address the newest is next: in a flood the oldest would always be too late. */
export class ConnectionQueue<Connection> {
  /** By address, each with its oldest first; the address that is next comes first. */
  readonly #waiting = new Map<string, Waiting<Connection>[]>();
  #pushed = 0;
  #left: number;
  #counted = performance.eventLoopUtilization();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly rate: ConnectionRate,
    /** False where it is closed already, and does not count. */
    readonly begin: (connection: Connection) => boolean,
  ) {
    this.#left = rate.burst;
  }

  get size(): number {
    let size = 0;
    for (const line of this.#waiting.values()) size += line.length;
    return size;
  }

  /** Begins as soon as the rate allows, which may be at once. */
  push(address: string, connection: Connection): void {
    addTo(this.#waiting, address, { connection, place: this.#pushed++ });
    this.#serve();
  }

  /** One that has begun does not count: its caller may ask. */
  giveBack(): void {
    this.#left++;
    this.#serve();
  }

  /** Takes away the oldest: of an address with more than so many, and else of all. */
  dropOldest(mostOfAddress: number): Connection | undefined {
    let from: readonly [string, Waiting<Connection>[]] | undefined;
    for (const entry of this.#waiting) {
      const [, line] = entry;
      if (line.length > mostOfAddress) {
        from = entry;
        break;
      }
      if (from === undefined || (line[0]?.place ?? 0) < (from[1][0]?.place ?? 0)) from = entry;
    }
    if (from === undefined) return undefined;
    const [address, line] = from;
    const oldest = line.shift();
    if (line.length === 0) this.#waiting.delete(address);
    return oldest?.connection;
  }

  /** @returns those that wait */
  close(): Connection[] {
    clearTimeout(this.#timer);
    const waiting = [...this.#waiting.values()].flat().map(({ connection }) => connection);
    this.#waiting.clear();
    return waiting;
  }

  #serve(): void {
    const { burst, perSecond } = this.rate;
    const counted = this.#counted;
    this.#counted = performance.eventLoopUtilization();
    const { idle, active } = performance.eventLoopUtilization(this.#counted, counted);
    const milliseconds = idle + active * busyShare;
    this.#left = Math.min(burst, this.#left + (milliseconds * perSecond) / 1000);
    for (const [address, line] of this.#waiting) {
      if (this.#left < 1) break;
      const newest = line.pop();
      // The walk through a map comes to what is added meanwhile.
      this.#waiting.delete(address);
      if (line.length > 0) this.#waiting.set(address, line);
      if (newest === undefined) continue;
      if (this.begin(newest.connection)) this.#left--;
    }
    if (this.#waiting.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined;
        this.#serve();
      },
      Math.min(mostMilliseconds, ((1 - this.#left) * 1000) / perSecond),
    );
  }
}
