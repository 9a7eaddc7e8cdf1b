/** One step of an upgrade path, and why it is taken. */
import type { Edge } from './model.js';

export interface Step {
  /** Absent for a first installation. */
  readonly from?: string;
  readonly to: string;
  /** The catalog it comes from, where several are looked at. */
  readonly catalog?: string;
  readonly channel: string;
  /** Empty for a first installation, and for a step that SelfCertified forces. */
  readonly edges: readonly Edge[];
  /** Bundles between the two that are never installed on this way, highest first. */
  readonly passedOver: readonly string[];
  /** Which of the four documented criteria holds, under the documented precedence. */
  readonly criterion?: 1 | 2 | 3 | 4;
}

export interface UpgradePath {
  readonly steps: readonly Step[];
  /** The last step leads to what had been installed before: it would be an update cycle. */
  readonly loops: boolean;
  /** Why nothing, or nothing further, can be resolved; OLM's text where it has one. */
  readonly error?: string;
}

export interface Stop {
  readonly name: string;
}

/** Ends where `next` finds nothing or comes back; errors that `expected` turns into a text end it too. */
export function follow<At extends Stop>(
  start: At | undefined,
  next: (installed: At | undefined) => { readonly step: Step; readonly at: At } | undefined,
  expected: (error: unknown) => string,
): UpgradePath {
  const steps: Step[] = [];
  const seen = new Set(start === undefined ? [] : [start.name]);
  try {
    for (let installed = start; ;) {
      const found = next(installed);
      if (found === undefined) return { steps, loops: false };
      steps.push(found.step);
      if (seen.has(found.at.name)) return { steps, loops: true };
      seen.add(found.at.name);
      installed = found.at;
    }
  } catch (error) {
    return { steps, loops: false, error: expected(error) };
  }
}

export function startingFrom(installed: Stop | undefined): { readonly from?: string } {
  return installed === undefined ? {} : { from: installed.name };
}
