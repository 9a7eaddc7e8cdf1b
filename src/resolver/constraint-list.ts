/** The constraints of a namespace's problem, and why each is there. */
import type { Cause } from './cause.js';
import type { Entry } from './entry.js';
import type { Variable } from './namespace-problem.js';
import type { Requirement } from './requirement.js';
import { sameMeaning } from './same-meaning.js';
import type { Constraint } from './satisfiability.js';

/**
 * Nearly all constraints of a large namespace are dependencies of its bundles, a hundred thousand of them.
 * Why one is there is said by itself and its requirement, so only that is kept until somebody asks.
 */
export class ConstraintList {
  readonly constraints: Constraint[] = [];
  private readonly causes: (Cause | Requirement)[] = [];
  /** By the entries they stand for: dependencies share them. */
  private readonly candidates = new Map<readonly Entry[], readonly number[]>();
  private entriesOf: Map<readonly number[], readonly Entry[]> | undefined;

  constructor(
    private readonly meanings: readonly Variable[],
    private readonly numberOf: (entry: Entry) => number,
  ) {}

  add(constraint: Constraint, cause: Cause): void {
    this.constraints.push(constraint);
    this.causes.push(cause);
  }

  /**
   * A dependency of the bundle `owner` on one of `entries`. Constraints of one bundle that mean the same
   * are one literal to OLM, which reports the last of them: dependencies on the same candidates, and for
   * a bundle that is out in any case the last reason.
   *
   * @param since where the constraints of the bundle begin
   */
  depend(
    subject: number,
    owner: Entry,
    requirement: Requirement,
    entries: readonly Entry[],
    since: number,
  ): void {
    let candidates = this.candidates.get(entries);
    if (candidates === undefined) {
      candidates = entries.map(this.numberOf);
      this.candidates.set(entries, candidates);
    }
    const constraint: Constraint = { kind: 'dependency', subject, candidates };
    // Entries that share an id share a variable, which is called by the first of them.
    const cause: Cause | Requirement =
      this.entryOf(subject) === owner
        ? requirement
        : { kind: 'requires', entry: owner, requirement, candidates: entries };
    for (let index = since; index < this.constraints.length; index++) {
      const other = this.constraints[index];
      if (other === undefined || !sameMeaning(other, constraint)) continue;
      this.causes[index] = cause;
      return;
    }
    this.constraints.push(constraint);
    this.causes.push(cause);
  }

  causeOf(index: number): Cause | undefined {
    const cause = this.causes[index];
    if (cause === undefined || 'kind' in cause) return cause;
    const constraint = this.constraints[index];
    if (constraint === undefined || constraint.kind === 'at-most-one') return undefined;
    this.entriesOf ??= new Map(
      [...this.candidates].map(([entries, numbers]) => [numbers, entries]),
    );
    const entry = this.entryOf(constraint.subject);
    // A dependency that nothing meets may stand where the bundle was prohibited for another reason.
    const met = constraint.kind === 'dependency' ? constraint.candidates : [];
    const candidates = this.entriesOf.get(met) ?? [];
    return entry && { kind: 'requires', entry, requirement: cause, candidates };
  }

  private entryOf(variable: number): Entry | undefined {
    const meaning = this.meanings[variable];
    return meaning?.kind === 'entry' ? meaning.entry : undefined;
  }
}
