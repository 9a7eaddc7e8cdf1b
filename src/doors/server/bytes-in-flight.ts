/** A bound on what all requests together may hold in memory while they are read and answered. */
import { HttpError } from './body.js';

export class BytesInFlight {
  #bytes = 0;

  constructor(readonly limit: number) {}

  fits(bytes: number): boolean {
    return this.#bytes + bytes <= this.limit;
  }

  /** What one request holds. */
  hold(): HeldBytes {
    let held = 0;
    return {
      take: (bytes) => {
        if (!this.fits(bytes)) {
          throw new HttpError(
            429,
            'E_LIMIT',
            `other requests hold ${this.#bytes} of the ${this.limit} bytes that may be in flight; try again`,
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
