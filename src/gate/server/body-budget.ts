/** Bytes that bodies may hold together: a body that finds none waits; no owner holds more than is left for others. */

export interface Reservation {
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

/** Owners of whom is known when they had the reserve; who has it again and again is no newcomer. */
const maxRemembered = 1000;

export class BodyBudget {
  /** Requests whose bodies are not whole yet, in the order in which they came. */
  readonly #arriving = new Set<Held>();
  readonly #waiting = new Map<Held, Waiting>();
  readonly #ofOwner = new Map<string, number>();
  #bytes = 0;
  /** The request that holds the reserve until its body is whole. */
  #first: Held | undefined;
  /** Owners of those for whom it was, the latest last. */
  readonly #hadReserve = new Set<string>();

  /**
   * @param limit of all together
   * @param reserve of this limit for one at a time: were every one to wait for the others, none would
   *   ever be whole. It goes from owner to owner, and to the body of each that came first.
   */
  constructor(
    readonly limit: number,
    readonly reserve: number,
  ) {}

  /** @param owner who may not hold more than is left for others */
  hold(owner: string): Reservation {
    const held: Held = { owner, bytes: 0 };
    this.#arriving.add(held);
    const leave = (): void => {
      this.#waiting.delete(held);
      this.#arriving.delete(held);
      if (this.#first === held) this.#first = undefined;
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
    this.#first ??= this.#nextInTurn();
    if (held === this.#first) return left >= 0;
    const free = left - this.reserve;
    return free >= 0 && (this.#ofOwner.get(held.owner) ?? 0) + bytes <= free;
  }

  /** Among the bodies that are arriving, the first of the owner who has waited longest for the reserve. */
  #nextInTurn(): Held | undefined {
    const owners = new Map<string, Held>();
    for (const each of this.#arriving) if (!owners.has(each.owner)) owners.set(each.owner, each);
    const isNew = [...owners.keys()].find((each) => !this.#hadReserve.has(each));
    const owner = isNew ?? [...this.#hadReserve].find((each) => owners.has(each));
    if (owner === undefined) return undefined;
    this.#hadReserve.delete(owner);
    this.#hadReserve.add(owner);
    const [longestAgo] = this.#hadReserve;
    if (this.#hadReserve.size > maxRemembered && longestAgo !== undefined) {
      this.#hadReserve.delete(longestAgo);
    }
    return owners.get(owner);
  }

  #add(held: Held, bytes: number): void {
    held.bytes += bytes;
    this.#bytes += bytes;
    const owned = (this.#ofOwner.get(held.owner) ?? 0) + bytes;
    if (owned === 0) this.#ofOwner.delete(held.owner);
    else this.#ofOwner.set(held.owner, owned);
  }
}
