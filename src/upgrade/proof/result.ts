/** Results of a proof: one for each difference, and one for the upgrade. */
import type { JsonValue } from '../../text/documents/index.js';
import type { Audience, Effect, StoredWrites, WitnessRequest } from '../../rule/index.js';

export interface ProofResult extends StoredWrites {
  readonly version: string;
  /** The version whose objects are read under another one. */
  readonly from?: string;
  readonly path: string;
  readonly effect: Effect;
  readonly audience: Audience;
  readonly reason: string;
  /** For `clients` and `apply`. */
  readonly request?: WitnessRequest;
  /** A whole object; `{old, new}` for a rule that compares the two. */
  readonly witness?: JsonValue;
  /** What stayed is refused because of changes inside it: their places. */
  readonly causes?: readonly string[];
  /** No proof can follow these schemas, so that the rules of a reference are to decide. */
  readonly unprovable?: true;
  /** Not all that might break was tried, so that a rule of a reference that refuses this decides. */
  readonly isUntried?: true;
}

export interface ProofJudgement {
  readonly allowed: boolean;
  readonly effect: Effect;
  readonly results: readonly ProofResult[];
  /** Budget spent, in values of `ProofLimits`. */
  readonly cost: number;
  /** Witnesses that did not hold when they were checked again; what they were for is undecided. */
  readonly failedWitnesses: number;
}
