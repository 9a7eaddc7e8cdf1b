/** The report of a check for every renderer: verdicts by name, and where each finding is. */
import type { JsonObject, Place } from '../text/documents/index.js';
import type { Verdict } from '../rule/index.js';
import type { CodeFrame } from './code-frame.js';

export interface FindingNote {
  /** Other findings about the same, a line each. */
  readonly also?: readonly string[];
  /** The exemption that speaks for it, with its reason. */
  readonly exempt?: string;
  readonly fix?: string | undefined;
  /** The lines of the document around the place. */
  readonly frame?: CodeFrame | undefined;
}

export interface CheckResult {
  readonly name: string;
  readonly verdict: Verdict;
  readonly output: unknown;
  /** The origin of the object: a folder that was rendered, or the object that applies it. */
  readonly rendering?: string | undefined;
  /** Where each finding is, in the order of `verdict.findings`. */
  readonly places: readonly Place[];
  /** The definition before and after, where the report shows them side by side. */
  readonly definitions?: { readonly old: JsonObject; readonly new: JsonObject };
  /** Notes in the order of `verdict.findings`. */
  readonly notes?: readonly FindingNote[];
  /** Sentences that are no findings: what was counted instead of being listed. */
  readonly counted?: readonly string[];
}

/** Objects that were not judged, for want of a definition of their kind. */
export interface SkippedKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly count: number;
}

export interface CheckReport {
  /** Plural noun for the closing line: `CustomResourceDefinitions`. */
  readonly subject: string;
  readonly results: readonly CheckResult[];
  /** Warnings about the check itself, a sentence each: that the change brings its own policy. */
  readonly warnings?: readonly string[];
  /** Checks that could not be made and why, a sentence each. */
  readonly unchecked?: readonly string[];
  readonly skipped?: readonly SkippedKind[];
  /** Set where the run ends with exit code 2 for that; where it lies, if in one place. */
  readonly failed?: Place;
  /** Old sides of the comparison, where the command line does not name them. */
  readonly comparedWith?: readonly string[];
  /** Numbers for the closing line and for scripts, e.g. `allowed`, `denied`, `skipped`. */
  readonly counts: Readonly<Record<string, number>>;
  /** Replaces the closing line of text. */
  readonly closing?: string;
  readonly command?: string;
}

export function hasSomethingToSay({ verdict, counted = [] }: CheckResult): boolean {
  const { allowed, findings, warnings } = verdict;
  return !allowed || findings.length > 0 || warnings.length > 0 || counted.length > 0;
}
