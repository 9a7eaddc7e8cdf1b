/**
 * `import { judgeUpgrade } from 'olm-guard'`: the same answers for programs, as data. Nothing is read or
 * written, and bad input is an answer, not an exception.
 *
 * Objects are what JSON.parse gives; whole numbers beyond 2^53 have lost digits by then. For these, and
 * for input that nobody knows, ask the command or the sidecar, which also bound the time an answer takes.
 */
import type { Finding, Verdict } from '../../rule/index.js';
import type { JsonValue } from '../../text/documents/index.js';
import { answer as answerRequest } from './answer.js';
import { operations as table } from './table.js';

export type { Finding, Verdict };

/** What cannot be judged, and why. */
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

export interface OperationDescription {
  /** What `answer` takes: `crd`, `range`, … */
  readonly name: string;
  readonly summary: string;
  /** JSON Schema (draft 2020-12) of the input. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface UpgradeOptions {
  /** Whose rules decide; `proof` denies only with an object that breaks. Default: `olm-v1`. */
  readonly profile?: 'olm-v1' | 'crdify' | 'olm-v1.10' | 'proof';
  /** Whether `output.rollback` says if the old definition can be put back. */
  readonly rollback?: boolean;
}

/** Every question that there is. */
export const operations: readonly OperationDescription[] = table.map(
  ({ name, summary, input }) => ({ name, summary, input }),
);

/** @param operation a name in {@link operations}; any other is an answer `E_OPERATION` */
export function answer(operation: string, input: unknown): Answer {
  return answerRequest(operation, input as JsonValue);
}

/**
 * Whether one CustomResourceDefinition may take the place of another. Findings say what the change does
 * to objects (`effect`), show one (`witness`) and how to mend it (`fix`).
 */
export function judgeUpgrade(old: object, next: object, options: UpgradeOptions = {}): Answer {
  return answer('crd', { old, new: next, ...options });
}
