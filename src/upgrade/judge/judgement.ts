import type { Finding } from '../../rule/index.js';
import type { ProofJudgement, ProofResult } from '../proof/index.js';
import type { UpgradeJudgement } from '../rules/crd/profiles.js';

export interface Judgement {
  /** By the profile first, then who else is affected than stored objects. */
  readonly findings: readonly Finding[];
  /** The same before anybody asked what becomes of objects. */
  readonly plain: readonly Finding[];
  /** The whole text of the profile's reference or of the proof; empty when it allows. */
  readonly message: string;
  /** As the reference lists them; no field under `proof`. */
  readonly errors?: UpgradeJudgement['errors'];
  /** The effect on stored objects, if it was requested and is known. */
  readonly proof?: ProofJudgement;
  /** Differences of which a proof knows nothing. */
  readonly otherResults: readonly ProofResult[];
  readonly previous: () => readonly Finding[];
}
