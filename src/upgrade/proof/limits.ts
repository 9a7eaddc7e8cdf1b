import type { SearchLimits } from './search/search.js';

export interface ProofLimits extends SearchLimits {
  /** Values that are compared, made up or put to a schema, for all versions together. */
  readonly values: number;
}

/** One to two seconds of a processor, whatever the definitions hold. */
export const defaultLimits: ProofLimits = {
  perDifference: 200,
  inAll: 20_000,
  atRandom: 600,
  values: 475_000,
};
