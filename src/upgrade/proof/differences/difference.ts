/** Differences that the walk over two schemas hands to the search for witnesses. */
import type { JsonValue } from '../../../text/documents/index.js';
import type { MildHarm } from '../../../rule/index.js';
import type { Change } from './change.js';
import type { Pin, Place } from '../pin.js';

type Proof =
  /** Every object that passed still passes and keeps its values. */
  | 'safe'
  /** The same, but an unchanged manifest comes to mean something else. */
  | 'behavior'
  /** Not proven: candidates are tried, and without a witness it stays undecided. */
  | 'open';

export interface Difference {
  readonly place: Place | undefined;
  /** It stands for every place that no other difference names. */
  readonly isOfAll?: boolean;
  readonly proof: Proof;
  /** The old schema said nothing of what is around the place either; there may be hundreds of these. */
  readonly isNested?: true;
  /** It is about objects that have nothing at the place. */
  readonly isOfAbsence?: true;
  /** For `open`: values that objects had there are no longer kept, and no more than that. */
  readonly isOfPruning?: true;
  /** One phrase: why it is safe, or what may break. */
  readonly reason: string;
  /** For `open`: what is another one in the schemas. */
  readonly change?: Change;
  /** For `open`: what to try at the place, likeliest first. */
  readonly candidates?: () => Iterable<Pin>;
  /** For `open` of a rule that compares with the old object: pairs to try. */
  readonly isTransition?: boolean;
  /** Whether such a rule is evaluated on create too, without an old object. */
  readonly isAskedOnCreate?: boolean;
  /** Of what kind the harm is that an object shows, or may show, where a policy only warns of that. */
  readonly harmOf?: (witness?: JsonValue) => MildHarm | undefined;
  /** For `open`, where no witness is found: a proof that costs more than to look for one. */
  readonly isSafeAfterAll?: () => boolean;
  /** For `open`: undecided, it is left to the rules of a reference, as if not all had been tried. */
  readonly isLeftToRules?: true;
  /** For `open` of a rule: its first operator that no proof follows. */
  readonly obstacle?: string | undefined;
  /** For `open`: why no witness could be looked for as far as the proof would need. */
  readonly limit?: string;
}
