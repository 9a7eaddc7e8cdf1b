/** How much of an input is read before it is refused with `E_LIMIT`. */
export interface Limits {
  /** Bytes (of UTF-8) or, for text that is already decoded, UTF-16 code units. */
  readonly maxBytes: number;
  /** Levels of lists and objects inside each other. */
  readonly maxDepth: number;
  /** Nodes that YAML aliases may add to one document. */
  readonly maxAliasNodes: number;
}

/**
 * The deepest schema of 591 real CustomResourceDefinitions nests 90 levels; 1,000 leaves room and
 * keeps every recursive walk inside Node's default stack.
 */
export const defaultLimits: Limits = {
  maxBytes: 256 * 1024 * 1024,
  maxDepth: 1000,
  maxAliasNodes: 1_000_000,
};
