/** Answers of every function of the library. */
import type { Verdict } from '../../rule/index.js';

export type {
  Audience,
  Finding,
  ObjectReference,
  Severity,
  StoredAnswers,
  Verdict,
  WitnessAnswer,
  WitnessRequest,
} from '../../rule/index.js';

/** Input that cannot be judged, and why. */
export interface InputError {
  /** `E_CRD_PARSE`, `E_INPUT`, … */
  readonly code: string;
  readonly message: string;
  /** Where in the input: a path such as `$.old.spec`. */
  readonly where?: { readonly path?: string };
}

/** A verdict with what else the operation says, or why there is none. */
export type Answer =
  | { readonly verdict: Verdict; readonly output: unknown; readonly error?: undefined }
  | { readonly error: InputError; readonly verdict?: undefined };
