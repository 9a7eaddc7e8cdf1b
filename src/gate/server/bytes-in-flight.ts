/** A bound on what all requests together may hold in memory while they are read and answered. */
import { HttpError } from './body.js';

export interface HeldBytes {
  /** @throws HttpError 429 past the limit of all together */
  readonly take: (bytes: number) => void;
  /** All of it has come: it is not cut off any more. */
  readonly arrived: () => void;
  /** Gives everything back; it may be taken again. */
  readonly give: () => void;
}

interface Held {
  bytes: number;
  /** When the first of them came; undefined when none is on its way. */
  since: number | undefined;
  readonly cut: () => void;
}

export class BytesInFlight {
  readonly #all = new Set<Held>();
  #bytes = 0;

  /** @param patience milliseconds that a body may take to arrive while others need the room */
  constructor(
    readonly limit: number,
    readonly patience: number,
  ) {}

  /** @param cut ends a request that takes its time while others need the room */
  hold(cut: () => void): HeldBytes {
    const held: Held = { bytes: 0, since: undefined, cut };
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > this.limit) this.#makeRoom(held);
        if (this.#bytes + bytes > this.limit) {
          throw new HttpError(
            429,
            'E_LIMIT',
            `other requests hold ${this.#bytes} of the ${this.limit} bytes that may be in flight; try again`,
          );
        }
        this.#all.add(held);
        held.since ??= performance.now();
        held.bytes += bytes;
        this.#bytes += bytes;
      },
      arrived: () => (held.since = undefined),
      give: () => this.#give(held),
    };
  }

  /** Cuts off who has had his time. */
  #makeRoom(asking: Held): void {
    for (const held of this.#all) {
      const { since } = held;
      if (held === asking || since === undefined) continue;
      if (performance.now() - since < this.patience) continue;
      this.#give(held);
      held.cut();
    }
  }

  #give(held: Held): void {
    this.#bytes -= held.bytes;
    held.bytes = 0;
    held.since = undefined;
    this.#all.delete(held);
  }
}
