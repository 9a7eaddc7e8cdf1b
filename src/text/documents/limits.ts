/** How much of an input is read before it is refused with `E_LIMIT`. */
export interface Limits {
  /** Bytes (of UTF-8) or, for text that is already decoded, UTF-16 code units. */
  readonly maxBytes: number;
  /** Levels of lists and objects inside each other. */
  readonly maxDepth: number;
  /** Values; a number in JSON that has to keep its text counts five times, for it takes as much. */
  readonly maxValues: number;
  /** Nodes that YAML aliases may add to one document. */
  readonly maxAliasNodes: number;
}

/** How deep an API server reads (sigs.k8s.io/json), and what a review or a list wraps around an object. */
const maxDepth = 10_000 + 10;

const limits: { -readonly [Limit in keyof Limits]: Limits[Limit] } = {
  maxBytes: 256 * 1024 * 1024,
  maxDepth,
  maxValues: Infinity,
  maxAliasNodes: 1_000_000,
};

export const defaultLimits: Limits = limits;

/** V8 ends the whole process when a thread needs much at once that it may not have, such as a longer list. */
export function limitValues(maxValues: number): void {
  limits.maxValues = maxValues;
}
