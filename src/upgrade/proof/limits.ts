/** What a proof may cost. */
import type { SearchLimits } from './search/search.js';

export interface ProofLimits extends SearchLimits {
  /** Values that are compared, made up or put to a schema, for all versions together. */
  readonly values: number;
}

/** Seconds, however large the definitions are; some ten where rules run to their bound each time. */
export const defaultLimits: ProofLimits = {
  perDifference: 200,
  inAll: 3_000,
  atRandom: 600,
  values: 1_000_000,
};
