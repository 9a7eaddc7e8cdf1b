/** Results of a proof: one for each difference, and one for the upgrade. */
import type { JsonValue } from '../../text/documents/index.js';
import type { Audience, Effect, MildHarm, StoredWrites, WitnessRequest } from '../../rule/index.js';

export interface ProofResult extends StoredWrites {
  readonly version: string;
  /** The version whose objects are read under another one. */
  readonly from?: string;
  readonly path: string;
  readonly effect: Effect;
  readonly audience: Audience;
  readonly harm?: MildHarm | undefined;
  readonly reason: string;
  /** For `clients` and `apply`. */
  readonly request?: WitnessRequest;
  /** A whole object; `{old, new}` for a rule that compares the two. */
  readonly witness?: JsonValue;
  /**
   * For `undecided`: the operator of CEL that no proof follows, or the keyword around the place with
   * which no object was found.
   */
  readonly obstacle?: string;
  /** Places of the changes because of which a part that stayed refuses objects. */
  readonly causes?: readonly string[];
  /** No proof can follow these schemas, so that the rules of a reference are to decide. */
  readonly unprovable?: true;
  /** Not all that might break was tried, so that a rule of a reference that refuses this decides. */
  readonly isUntried?: true;
}

/** As answers show it: findings carry what follows from the rest. */
export function shownResult({
  isUntried: _,
  causes: __,
  ...shown
}: ProofResult): Omit<ProofResult, 'isUntried' | 'causes'> {
  return shown;
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
