/** The constraints of a namespace's problem, and why each is there. */
import type { Cause } from './cause.js';
import type { Entry } from './entry.js';
import { grown } from './clauses.js';
import type { Requirement } from './requirement.js';
import type { Constraint, Constraints } from './satisfiability.js';
import type { Universe } from './universe.js';

/** Entries that meet a dependency, best first, for all that have this dependency. */
export class Candidates {
  /** Whether all of them have been looked at already. */
  areVisited = false;
  index = -1;
  private known: readonly number[] | undefined;

  /** @param among gives what they are called and their variables, by their slots */
  constructor(
    readonly requirement: Requirement,
    readonly slots: readonly number[],
    private readonly among: { readonly universe: Universe; readonly numbers: Int32Array },
  ) {}

  get entries(): readonly Entry[] {
    return this.slots.map((slot) => this.among.universe.entry(slot));
  }

  /** Computed on demand: of a large namespace few dependencies are looked at. */
  get numbers(): readonly number[] {
    return (this.known ??= this.slots.map((slot) => this.among.numbers[slot] ?? -1));
  }

  isSame({ slots }: Candidates): boolean {
    if (slots.length !== this.slots.length) return false;
    const { numbers } = this.among;
    for (let index = 0; index < slots.length; index++) {
      if (numbers[slots[index] ?? -1] !== numbers[this.slots[index] ?? -1]) return false;
    }
    return true;
  }
}

class Dependency {
  readonly kind = 'dependency';

  constructor(
    readonly subject: number,
    private readonly needed: Candidates,
  ) {}

  get candidates(): readonly number[] {
    return this.needed.numbers;
  }
}

/** A large namespace has a hundred thousand dependencies: each is two numbers until it is read. */
export class ConstraintList implements Constraints {
  length = 0;
  /** By index, of bundles' dependencies: the bundle's variable, … */
  private subjects: Int32Array = new Int32Array(0);
  /** … and what it depends on; negative for all other constraints. */
  private needs: Int32Array = new Int32Array(0);
  private readonly candidates: Candidates[] = [];
  private readonly others = new Map<number, { constraint: Constraint; cause: Cause }>();
  /** Owners of dependencies whose variable is named by another entry with the same id. */
  private readonly owners = new Map<number, Entry>();

  /** @param entries by which variables are called */
  constructor(private readonly entries: readonly (Entry | undefined)[]) {}

  at(index: number): Constraint | undefined {
    const needed = this.neededBy(index);
    if (needed === undefined) return this.others.get(index)?.constraint;
    return new Dependency(this.subjects[index] ?? -1, needed);
  }

  dependentAt(index: number): number {
    return (this.needs[index] ?? -1) < 0 ? -1 : (this.subjects[index] ?? -1);
  }

  *[Symbol.iterator](): Iterator<Constraint> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as Constraint;
  }

  causeOf(index: number): Cause | undefined {
    const needed = this.neededBy(index);
    if (needed === undefined) return this.others.get(index)?.cause;
    const entry = this.owners.get(index) ?? this.entries[this.subjects[index] ?? -1];
    const { requirement, entries } = needed;
    return entry && { kind: 'requires', entry, requirement, candidates: entries };
  }

  add(constraint: Constraint, cause: Cause): void {
    this.others.set(this.next(-1, -1), { constraint, cause });
  }

  /**
   * A dependency of the bundle `owner`. Constraints of one bundle that mean the same are one literal to OLM,
   * which reports the last of them: dependencies on the same candidates, and for a bundle that is out in
   * any case the last reason.
   *
   * @param since where the constraints of the bundle begin
   */
  depend(subject: number, owner: Entry, needed: Candidates, since: number): void {
    if (needed.index < 0) needed.index = this.candidates.push(needed) - 1;
    let index = since;
    while (index < this.length && !this.isSame(index, subject, needed)) index++;
    const other = this.others.get(index);
    if (other !== undefined) {
      const { requirement, entries } = needed;
      other.cause = { kind: 'requires', entry: owner, requirement, candidates: entries };
      return;
    }
    if (index === this.length) this.next(subject, needed.index);
    else this.needs[index] = needed.index;
    if (this.entries[subject] !== owner) this.owners.set(index, owner);
  }

  private isSame(index: number, subject: number, needed: Candidates): boolean {
    const before = this.neededBy(index);
    if (before !== undefined) return this.subjects[index] === subject && before.isSame(needed);
    const other = this.at(index);
    return other !== undefined && sameMeaning(other, new Dependency(subject, needed));
  }

  private neededBy(index: number): Candidates | undefined {
    // The arrays are longer than the list.
    return index < this.length ? this.candidates[this.needs[index] ?? -1] : undefined;
  }

  private next(subject: number, needed: number): number {
    const index = this.length++;
    this.subjects = grown(this.subjects, index);
    this.needs = grown(this.needs, index);
    this.subjects[index] = subject;
    this.needs[index] = needed;
    return index;
  }
}

/** Whether OLM's solver cannot tell the constraints of one variable apart. */
function sameMeaning(a: Constraint, b: Constraint): boolean {
  if (!('subject' in a && 'subject' in b) || a.subject !== b.subject) return false;
  const left = candidatesOf(a);
  const right = candidatesOf(b);
  if (left === undefined || right === undefined) return false;
  if (left === right) return true;
  return left.length === right.length && left.every((it, index) => it === right[index]);
}

/** Nothing to choose from is the same as prohibited. */
function candidatesOf(constraint: Constraint): readonly number[] | undefined {
  if (constraint.kind === 'prohibited') return [];
  return constraint.kind === 'dependency' ? constraint.candidates : undefined;
}
