/** A bound on what all questions together may hold in memory while they are read and answered. */
import { HttpError } from './body.js';

export class BytesInFlight {
  #bytes = 0;

  constructor(readonly limit: number) {}

  /** What one question holds. */
  hold(): HeldBytes {
    let held = 0;
    return {
      take: (bytes) => {
        if (this.#bytes + bytes > this.limit) {
          throw new HttpError(
            429,
            'E_LIMIT',
            `other questions hold ${this.#bytes} of the ${this.limit} bytes that may be in flight; try again`,
          );
        }
        held += bytes;
        this.#bytes += bytes;
      },
      give: () => {
        this.#bytes -= held;
        held = 0;
      },
    };
  }
}

export interface HeldBytes {
  /** @throws HttpError 429 past the limit of all together */
  readonly take: (bytes: number) => void;
  /** Gives everything back; it may be taken again. */
  readonly give: () => void;
}
