/** Bytes that bodies may hold together: who finds none waits, and nobody holds more than is left for others. */

export interface Holder {
  /** Takes so many bytes more: at once, or when the promise resolves. */
  take(bytes: number): Promise<void> | undefined;
  /** Takes no more: the body is whole. */
  done(): void;
  /** Gives everything back, also what it waits for. */
  give(): void;
}

interface Held {
  readonly owner: string;
  bytes: number;
}

interface Waiting {
  readonly bytes: number;
  readonly resolve: () => void;
}

export class Room {
  /** Those whose bodies are not whole yet, in the order in which they came. */
  readonly #arriving = new Set<Held>();
  readonly #waiting = new Map<Held, Waiting>();
  readonly #ofOwner = new Map<string, number>();
  #bytes = 0;

  /**
   * @param limit of all together
   * @param reserve of this limit for the one that came first: were every one to wait for the others,
   *   none would ever be whole
   */
  constructor(
    readonly limit: number,
    readonly reserve: number,
  ) {}

  /** @param owner who may not hold more than is left for others */
  hold(owner: string): Holder {
    const held: Held = { owner, bytes: 0 };
    this.#arriving.add(held);
    const leave = (): void => {
      this.#waiting.delete(held);
      this.#arriving.delete(held);
    };
    return {
      take: (bytes) => {
        if (this.#mayTake(held, bytes)) {
          this.#add(held, bytes);
          return undefined;
        }
        return new Promise((resolve) => this.#waiting.set(held, { bytes, resolve }));
      },
      done: () => {
        leave();
        this.#serve();
      },
      give: () => {
        leave();
        this.#add(held, -held.bytes);
        this.#serve();
      },
    };
  }

  #serve(): void {
    for (const [held, { bytes, resolve }] of this.#waiting) {
      if (!this.#mayTake(held, bytes)) continue;
      this.#waiting.delete(held);
      this.#add(held, bytes);
      resolve();
    }
  }

  #mayTake(held: Held, bytes: number): boolean {
    const left = this.limit - this.#bytes - bytes;
    const [oldest] = this.#arriving;
    if (held === oldest) return left >= 0;
    const free = left - this.reserve;
    return free >= 0 && (this.#ofOwner.get(held.owner) ?? 0) + bytes <= free;
  }

  #add(held: Held, bytes: number): void {
    held.bytes += bytes;
    this.#bytes += bytes;
    const owned = (this.#ofOwner.get(held.owner) ?? 0) + bytes;
    if (owned === 0) this.#ofOwner.delete(held.owner);
    else this.#ofOwner.set(held.owner, owned);
  }
}
