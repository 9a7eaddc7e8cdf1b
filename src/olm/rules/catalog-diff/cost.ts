/** A bound on what the comparison of two catalogs costs: anybody may have written one of them. */
import { InvalidInputError } from '../../../text/documents/index.js';

/** The cost of a step of each kind, in comparisons of a version with a range. */
const steps = { comparison: 1, update: 20, changedDefinition: 250, judgement: 5_000 };

/** The largest public catalogs take less than a hundredth. */
const most = 100_000_000;

export class DiffCost {
  private used = 0;

  /** @throws InvalidInputError once the catalogs together have cost too much */
  spend(kind: keyof typeof steps, count: number, packageName: string): void {
    this.used += steps[kind] * count;
    if (this.used <= most) return;
    throw new InvalidInputError(
      'E_LIMIT',
      `the channels of package ${packageName} have more updates than can be compared; compare the other packages with --package`,
    );
  }
}
