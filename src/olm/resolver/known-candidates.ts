/** Candidates for the dependencies of one catalog's bundles, as far as they have been looked for. */
import type { Candidates } from './constraint-list.js';
import type { Requirement } from './requirement.js';

/** A hundred thousand dependencies of a large namespace are looked up here: by their numbers, where they have one. */
export class KnownCandidates {
  private readonly byNumber: (Candidates | undefined)[];
  private readonly others = new Map<Requirement, Candidates>();

  /** Numbers are below `count`. */
  constructor(count: number) {
    this.byNumber = new Array<Candidates | undefined>(count);
  }

  get(requirement: Requirement): Candidates | undefined {
    const { number } = requirement;
    return number < 0 ? this.others.get(requirement) : this.byNumber[number];
  }

  set(requirement: Requirement, candidates: Candidates): void {
    const { number } = requirement;
    if (number < 0) this.others.set(requirement, candidates);
    else this.byNumber[number] = candidates;
  }
}
