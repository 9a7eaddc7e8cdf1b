/** What a check hands to every renderer: verdicts by name, and where each finding stands. */
import type { Place } from '../documents/index.js';
import type { Verdict } from '../finding.js';

export interface CheckResult {
  /** What was judged: a CustomResourceDefinition, an object, a bundle. */
  readonly name: string;
  readonly verdict: Verdict;
  readonly output: unknown;
  /** Where each finding stands, in the order of `verdict.findings`. */
  readonly places: readonly Place[];
}

export interface CheckReport {
  /** Plural noun for the closing line: `CustomResourceDefinitions`. */
  readonly subject: string;
  readonly results: readonly CheckResult[];
  /** Numbers for the closing line and for scripts, e.g. `allowed`, `denied`, `passedOver`. */
  readonly counts: Readonly<Record<string, number>>;
}
